/** A bonus as it is written on a sheet, with a true minus. */
export function signed(bonus: number): string {
  return bonus < 0 ? `−${-bonus}` : `+${bonus}`;
}

/** Challenges below one are fractions: 0.25 is 1/4. */
export function challengeText(challenge: number): string {
  return challenge > 0 && challenge < 1 ? `1/${Math.round(1 / challenge)}` : String(challenge);
}
