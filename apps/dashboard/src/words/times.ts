/** "43 ms", with a decimal below ten. */
export const inMs = (ms: number): string =>
  `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en')} ms`;
