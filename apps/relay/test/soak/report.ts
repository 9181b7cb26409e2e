import type { RollingRestartReport } from '../cluster/rolling/rolling-restart.ts';

/** A world that is away for less is not noticed: its next call waits, as for a slow network. */
const longestAwayMs = 250;

/** What a rolling restart did that it must not do. */
export function brokenPromises(report: RollingRestartReport, worlds: number): string[] {
  const { sdk, bare } = report;
  const broken = [
    [sdk.failed.length + sdk.notSent > 0, 'a call to a world on our SDK failed'],
    [bare.failed.length > 0, 'a call to a world that ignores `reconnect` failed, and not as 503 `not_sent`'],
    [
      report.longestAwayMs.sdk > longestAwayMs,
      `a world on our SDK was away for more than ${longestAwayMs} ms`,
    ],
    [report.onlineAtTheEnd < worlds, 'a world was not back at the end'],
  ] as const;
  return [...report.brokenBefore, ...broken.flatMap(([isBroken, promise]) => (isBroken ? [promise] : []))];
}

export function renderSoak({ sdk, bare, longestAwayMs: away, ...rest }: RollingRestartReport): string {
  const rows = [
    ['', 'on our SDK', 'ignore reconnect'],
    ['calls answered', sdk.ok, bare.ok],
    ['503 not_sent', sdk.notSent, bare.notSent],
    ['cut by a reload', sdk.cut, bare.cut],
    ['any other failure', sdk.failed.length, bare.failed.length],
    ['longest away, ms', away.sdk.toFixed(0), away.bare.toFixed(0)],
  ];
  const lines = rows.map(([name, ...cells]) =>
    [String(name).padEnd(20), ...cells.map((cell) => String(cell).padStart(18))].join(''),
  );
  const failures = [...sdk.failed, ...bare.failed].slice(0, 10);
  return [
    ...lines,
    `slowest call: ${rest.slowestCallMs.toFixed(0)} ms; online at the end: ${rest.onlineAtTheEnd}`,
    ...failures,
  ].join('\n');
}
