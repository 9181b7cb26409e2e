/**
 * Settings that earlier releases read, by the release since which no process does. What they set is a constant now;
 * CHANGELOG.md has its value. An entry may go two minor releases later.
 */
export const removedSettings: Readonly<Record<string, readonly string[]>> = {
  '0.2.0': [
    'ADMISSIONS_HELD',
    'ADMISSIONS_RUNNING',
    'ADMISSIONS_WAITING',
    'ADMISSION_HOLD_MS',
    'ADMISSION_PATIENCE_MS',
    'ARGON2_WAITING',
    'ARGON2_WAITING_PER_ADDRESS',
    'AUTH_TIMEOUT_MS',
    'CALLER_READ_TIMEOUT_MS',
    'CALL_BODY_BYTES_WAITING',
    'CALL_ROWS_WAITING',
    'CALL_ROWS_WAITING_PER_ACCOUNT',
    'COUNTED_ATTEMPTS',
    'FRAME_LOG_LINES',
    'FRAME_TIMEOUT_MS',
    'HANDSHAKE_KEYS_AHEAD',
    'HEADLESS_LAPSE_MS',
    'LARGE_FRAMES_AT_ONCE',
    'LARGE_FRAME_BYTES',
    'MAX_ACCOUNT_BODY_BYTES',
    'MAX_ANSWER_QUEUE_BYTES',
    'MAX_LOG_QUEUE_BYTES',
    'MAX_OPEN_KEY_REQUESTS',
    'MAX_OPEN_PAIR_REQUESTS',
    'MAX_PASSKEYS_PER_ACCOUNT',
    'MAX_PENDING_BODY_BYTES',
    'MAX_SEND_QUEUE_BYTES',
    'MODULE_PATIENCE_MS',
    'RECORDS_WAITING',
    'RECORDS_WAITING_PER_ACCOUNT',
    'REMOTE_REQUEST_TIMEOUT_MS',
    'SECOND_FACTOR_ANSWERS_PER_ACCOUNT',
    'SECOND_FACTOR_CHALLENGE_MS',
    'SECOND_FACTOR_FAILURES_PER_ACCOUNT',
    'SECOND_FACTOR_SETUP_MS',
    'SHED_LEAST_WORLDS',
    'STRANGERS_PER_ADDRESS',
    'STRANGERS_WAITING',
    'STREAM_BACKLOG_BYTES',
    'STREAM_BACKLOG_EVENTS',
    'STREAM_BACKLOG_TOTAL_BYTES',
    'STREAM_HISTORY_BYTES',
  ],
};

/** Returns a line for each release since which settings that are set are not read any more. */
export function warnOfRemovedSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(removedSettings).flatMap(([release, names]) => {
    const set = names.filter((name) => env[name]?.trim());
    if (set.length === 0) return [];
    return [
      `${set.join(', ')}: set, and not read since ${release}. The values are fixed now, and stand in CHANGELOG.md. ` +
        'Take them out of the environment.',
    ];
  });
}
