/** The name that an operation, a group or a parameter has in Python: `rollNPC` as `roll_npc`, `skill-check` as `skill_check`. */
export function pythonName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}
