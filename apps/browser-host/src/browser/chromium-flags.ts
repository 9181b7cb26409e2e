/** The switches of the Chromium of a session. */
export function chromiumFlags(of: { profile: string; memoryMb: number; isSandboxed: boolean }): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${of.profile}`,
    // What JavaScript may take of it before it must collect its garbage: buffers and pictures are beside it.
    `--js-flags=--max-old-space-size=${Math.floor(of.memoryMb / 2)}`,
    ...(of.isSandboxed ? [] : ['--no-sandbox']),
    ...closed,
    ...quiet,
    ...steady,
  ];
}

/** What a page could use to go around the proxy. */
const closed = [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Names are resolved by the proxy alone: the browser itself finds nothing but the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
];

/** What a browser does of its own, without being asked. */
const quiet = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-notifications',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
];

/**
 * What Playwright relies on, and a page that nobody looks at. Of Playwright's own list these are left out on purpose: its switches that
 * take Chromium's own guards away from pages that open windows or flood the browser with messages.
 */
const steady = [
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-dev-shm-usage',
  '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--enable-features=CDPScreenshotNewSurface',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];
