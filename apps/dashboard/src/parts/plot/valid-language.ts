/**
 * uPlot makes a number format of the browser's language as it is loaded. Chromium under the locale of POSIX calls its language
 * `en-US@posix`, which no such format takes: then the pages' own language stands in for it. To be imported before uPlot.
 */
try {
  Intl.NumberFormat.supportedLocalesOf(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
