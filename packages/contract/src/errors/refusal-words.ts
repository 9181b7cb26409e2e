/**
 * What a world's words say where it refuses without a code, as today's modules do: they send a text for people alone.
 * The first that fits counts.
 */
const refusalWords: readonly (readonly [reason: string, words: RegExp])[] = [
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
  [
    'entity_not_found',
    /\bnot found\b|\b(?:does not|doesn['’]t) exist\b|\bno such\b|\b(?:could not|couldn['’]t|cannot|can['’]t) (?:be found|find|resolve)\b|\bunknown (?:actor|item|token|scene|document|entity)\b/i,
  ],
];

/** How much of a text is looked at: nobody says at its end what it is about. */
const readLength = 500;

/** The reason that the words of a refusal give; undefined where they say none that is known. */
export function reasonInWords(text: string): string | undefined {
  const read = text.slice(0, readLength);
  return refusalWords.find(([, words]) => words.test(read))?.[0];
}
