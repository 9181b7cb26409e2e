// Runs before anything is painted, while the code of the page still comes. What it does fails where storage is switched off: then the
// theme is the system's, and the page asks by itself.
(() => {
  const root = document.documentElement;
  const { asks = '', asksOnSlowLine = '' } = document.currentScript.dataset;
  // On a slow line a page can wait for nothing that it could have asked for at the same time.
  const isSlow = navigator.connection?.rtt > 300;
  if (isSlow) root.dataset.line = 'slow';
  try {
    // A chosen theme never flashes the other one.
    const theme = localStorage.getItem('theme');
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    if (localStorage.getItem('signedIn') === null || location.search !== '') return;
  } catch {
    return;
  }
  // Data of the page is requested beside its code, not after it. The page takes these answers: `src/asked-first.ts`.
  const last = location.pathname.replace(/\/+$/, '').split('/').pop();
  const paths = `${isSlow ? asksOnSlowLine : ''} ${asks}`.split(' ').filter(Boolean);
  window.askedFirst = new Map(
    paths.map((path) => {
      const answer = fetch(path.replace('{last}', last), {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(60_000),
      });
      // The failure reaches the page that takes the answer.
      answer.catch(() => undefined);
      return [path.replace('{last}', last), answer];
    }),
  );
})();
