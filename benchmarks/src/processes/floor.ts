import Fastify from 'fastify';
import { answerParent } from './child.ts';
import { skillCheckResult } from './bodies.ts';

/** The floor: a bare Fastify that parses a JSON body and answers JSON of the same size as a skill check's. */
const app = Fastify();
app.post('/', () => Promise.resolve(skillCheckResult));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
answerParent(url);
