import type { FastifyReply } from 'fastify';

/** Names and values in turn, the form in which Node writes headers fastest. */
export type HeaderList = string[];

/** Moves the standing headers into Fastify's map, from which Fastify and its plugins send them. */
export function setStanding(reply: FastifyReply): void {
  const { standing } = reply;
  for (let index = 0; index < standing.length; index += 2) {
    const name = standing[index] as string;
    if (!reply.hasHeader(name)) void reply.header(name, standing[index + 1]);
  }
}

/** Takes an answer from Fastify and writes its head. `headers` stand neither in Fastify's map nor in the standing ones. */
export function writeHead(reply: FastifyReply, headers: HeaderList): void {
  const { raw, standing } = reply.hijack();
  if (Object.keys(reply.getHeaders()).length === 0) {
    raw.writeHead(raw.statusCode, [...standing, ...headers]);
    return;
  }
  setStanding(reply);
  raw.writeHead(raw.statusCode, [...(Object.entries(reply.getHeaders()).flat() as HeaderList), ...headers]);
}
