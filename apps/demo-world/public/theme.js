// Before the first paint, so that no theme flashes the other one: the chosen theme, or else the system's as it changes.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('theme');
    } catch {
      // Storage is switched off: the system's theme it is.
    }
    const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  show();
  system.addEventListener('change', show);
})();
