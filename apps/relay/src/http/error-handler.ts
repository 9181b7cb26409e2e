import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { loggedCall } from '../calls/log-calls.ts';
import type { LogCalls } from '../calls/log-calls.ts';
import type { RelayMetrics } from '../metrics.ts';
import { oauthErrorOf } from '../keys/oauth/oauth-problem.ts';
import { ProblemError, invalidFields, problemDocument } from '../problem.ts';
import type { AnswerPerson } from './documents/not-found-page.ts';
import { createTellFailure } from './refusals.ts';

export type HandleError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

export interface ErrorHandlerDeps {
  /** Answers for requests without a set PUBLIC_URL. */
  publicUrlOf: (request: FastifyRequest) => string;
  metrics: Pick<RelayMetrics, 'requestsRefused' | 'calls'>;
  logCalls: Pick<LogCalls, 'failed'>;
  /** The name of an instance by its boot. */
  nameOf: (boot: string) => string;
  /** Answers people at addresses that are none. */
  answerPerson: AnswerPerson;
}

/** The one place where failures become replies. */
export function createErrorHandler(deps: ErrorHandlerDeps): HandleError {
  const { publicUrlOf, logCalls, answerPerson } = deps;
  const tellFailure = createTellFailure(deps);
  return function handleError(error, request, reply) {
    const problem = error instanceof ProblemError ? error : fromFastify(error, request);
    tellFailure(problem, request);
    request.step?.end(problem.code);
    const operation = request.routeOptions.config?.relayed;
    // Nobody is there to read an answer, and the call log keeps answers of operations alone. Whoever hangs up on
    // hundreds of requests at once would otherwise keep the event loop busy with all their answers.
    if (request.raw.socket.destroyed && !operation) {
      reply.hijack();
      return;
    }
    const { speaksOAuth, leadsTo } = request.routeOptions.config ?? {};
    if (leadsTo) return void reply.headers(problem.headers).redirect(refusedPage(problem), 303);
    if (speaksOAuth && problem.code !== 'internal') return sendOAuth(problem, reply);
    if (problem.code === 'not_found' && answerPerson(request, reply)) return;
    const document = problemDocument(problem, {
      publicUrl: publicUrlOf(request),
      traceId: request.id,
      relayed: operation,
    });
    if (operation) logCalls.failed(loggedCall(operation, request, reply), problem, document);
    void reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/problem+json; charset=utf-8')
      .serializer(JSON.stringify as (payload: unknown) => string)
      .send(document);
  };
}

/** RFC 6749, section 5.2, which allows no other letters. */
function sendOAuth(problem: ProblemError, reply: FastifyReply): void {
  const { error, status } = oauthErrorOf(problem);
  void reply
    .code(status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify as (payload: unknown) => string)
    .send({ error, error_description: problem.message.replaceAll(/[^ !#-[\]-~]/g, "'") });
}

/** Whoever follows a link reads no JSON. */
const refusedPage = ({ status, code }: ProblemError): string =>
  `/oauth/refused?why=${status === 429 || status === 503 ? 'busy' : code}`;

/** Fastify's own failures in the words of the catalogue; any other failure is a bug of ours. */
function fromFastify(error: FastifyError, request: FastifyRequest): ProblemError {
  const cause = error;
  // The body's reader fails with it where the caller hangs up.
  if (error === request.raw.errored) return invalid('body', 'must not end before its declared length');
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ProblemError('payload_too_large', undefined, { cause });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ProblemError('unsupported_media_type');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalid('body', 'must be valid JSON');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('content-length', 'must equal the length of the body');
    case 'FST_ERR_BAD_URL':
      return invalid('path', 'must be readable: `%` stands before two hex digits');
    case 'FST_ERR_MAX_PARAM_LENGTH':
    // A path that leads out of the folder of pages: `/docs/static/..`.
    case 'FST_STATIC_FORBIDDEN_PATH':
      return new ProblemError('not_found');
    default:
      break;
  }
  if (error instanceof SyntaxError && error.statusCode === 400) return invalid('body', 'must be valid JSON');
  // The framework's way to say that the caller is wrong, for example of a method without a body's type.
  const isRefused = error.code?.startsWith('FST_ERR_') && (error.statusCode ?? 500) < 500;
  if (isRefused) return invalid('request', `is refused: ${error.message}`);
  return new ProblemError(
    'internal',
    'Something went wrong on our side. Please report it with the traceId.',
    { cause },
  );
}

const invalid = (field: string, message: string) => invalidFields([{ field, message }]);
