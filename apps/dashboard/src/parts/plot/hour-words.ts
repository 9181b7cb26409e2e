const words = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Sun 14:00", as the person's clock has it. */
export const hourWords = (hour: string): string => words.format(Date.parse(hour)).replace(',', '');
