/**
 * What a world's words say where it refuses without a code, as today's modules do: they send a text for people alone.
 * The first that fits counts.
 */
const refusalWords: readonly (readonly [reason: string, words: RegExp])[] = [
  // What a script says of itself comes behind these words, and may read like anything below.
  ['script_failed', /\berror (?:executing|running) (?:the )?(?:script|macro)\b/i],
  ['not_allowed', /\bdisabled in\b.*\bsettings\b|\bscripts? (?:cannot|can['’]t|may not) modify\b/i],
  ['already_exists', /\balready (?:exists|has (?:the )?(?:status|effect|condition))\b/i],
  ['unknown_status', /\bunknown (?:status|condition)\b/i],
  ['not_viewed', /\bnot (?:the )?(?:scene that is )?(?:currently )?viewed\b/i],
  ['no_image', /\bno background\b/i],
  ['not_empty', /\bfolder (?:contains|is not empty)\b/i],
  ['last_game_master', /\blast (?:gm|game ?master)\b/i],
  ['not_a_character', /\b(?:does not|doesn['’]t) have experience\b/i],
  ['no_charges', /\bno (?:charges|uses)\b|\b(?:does not|doesn['’]t) have (?:charges|uses)\b/i],
  ['invalid_formula', /\b(?:invalid|failed to roll) (?:roll )?formula\b/i],
  ['invalid_data', /\bis not a number\b/i],
  ['insufficient_funds', /\binsufficient\b|\bnot enough (?:coins?|funds|money|currency|[pgesc]p)\b/i],
  [
    'nothing_selected',
    /\bno (?:\w+ )?(?:tokens?|actors?) (?:is |are )?selected\b|\bnothing (?:is )?selected\b/i,
  ],
  [
    'permission_denied',
    /\bpermissions?\b|\bnot (?:allowed|permitted|authori[sz]ed)\b|\bunauthori[sz]ed\b|\baccess denied\b|\bforbidden\b|\bmust be (?:a |the )?(?:gm|game ?master|owner)\b|\bonly (?:a |the )?(?:gms?|game ?masters?)\b/i,
  ],
  ['user_not_found', /\buser\b.*\b(?:not found|does not exist|doesn['’]t exist)\b|\bno (?:such )?user\b/i],
  [
    'encounter_not_found',
    /\b(?:encounter|combat)\b.*\b(?:not found|does not exist|doesn['’]t exist)\b|\bno (?:active |such )?(?:encounter|combat)\b/i,
  ],
  ['file_not_found', /\b(?:file|director(?:y|ies)|folder)\b.*\bnot found\b/i],
  [
    'entity_not_found',
    /\bnot found\b|\b(?:does not|doesn['’]t) exist\b|\bno such\b|\b(?:could not|couldn['’]t|cannot|can['’]t) (?:be found|find|resolve)\b|\bunknown (?:actor|item|token|scene|document|entity)\b/i,
  ],
];

/** How much of a text is looked at: nobody says at its end what it is about. */
const readLength = 500;

/**
 * The reason that the words of a refusal give; undefined where they say none that is known. Of several that fit, one that the
 * operation promises counts before others. An operation that runs a script is told the script's own error as it is.
 */
export function reasonInWords(text: string, promised: readonly string[] = []): string | undefined {
  const read = text.slice(0, readLength);
  const fitting = refusalWords.filter(([, words]) => words.test(read)).map(([reason]) => reason);
  const own = promised.includes('script_failed') ? 'script_failed' : undefined;
  return fitting.find((reason) => promised.includes(reason)) ?? fitting[0] ?? own;
}
