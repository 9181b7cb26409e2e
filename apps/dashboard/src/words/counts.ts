const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;

export const browserCount = (count: number): string => counted(count, 'browser', 'browsers');
export const worldCount = (count: number): string => counted(count, 'world', 'worlds');
export const keyCount = (count: number): string => counted(count, 'key', 'keys');
export const sessionCount = (count: number): string => counted(count, 'session', 'sessions');
export const tryCount = (count: number): string => counted(count, 'try', 'tries');
export const callCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'}`;
