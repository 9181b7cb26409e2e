/**
 * Codes with which a world may refuse any operation (the `reason` of `operation_failed`), and what each says to the program. Those
 * from `policy` on are the game master's own hand, in a module that has one.
 */
export const commonReasons = {
  invalid_parameters: 'The world cannot do it with these parameters.',
  user_not_found: 'No user of the world, or more than one, is what `userId` names.',
  policy:
    'The game master’s settings in the tabletop do not let programs do this. Repeating it helps only once they have changed them.',
  asked:
    'The game master is asked in the tabletop and has not answered. Send the same command once more, with a new `Idempotency-Key`: what they allow within ten minutes is carried out then.',
  denied:
    'The game master was asked and said no. The same command is not put before them again within ten minutes.',
  paused: 'The game master has paused all programs in the tabletop.',
  too_busy:
    'Too many questions wait for the game master, or were put to them in the last minutes. Try later.',
} as const;

export type CommonReason = keyof typeof commonReasons;
