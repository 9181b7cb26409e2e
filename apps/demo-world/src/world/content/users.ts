import type { User } from '../state.ts';

const user = (id: string, name: string, color: string, role: User['role'] = 1): User => ({
  id,
  name,
  role,
  isGM: role >= 3,
  active: id !== 'dev',
  color,
  avatar: `avatars/${id}.svg`,
});

/** A game master and three players. */
export const users: readonly User[] = [
  user('ada', 'Ada', '#c2703d', 4),
  user('ben', 'Ben', '#4f7cac'),
  user('cleo', 'Cleo', '#5b9a6b'),
  user('dev', 'Dev', '#8a6bb1'),
];
