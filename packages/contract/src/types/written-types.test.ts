import { expectTypeOf, test } from 'vitest';
import type * as written from './index.ts';
import type {
  ActiveSession,
  AllEndpoints,
  SdkEndpoints,
  AnswerOf,
  Channel,
  ChannelData,
  ChannelEventNames,
  ChannelFilters,
  ClientList,
  ClientRecord,
  ClientSummary,
  ConsoleLevel,
  ErrorCode,
  EventStream,
  FieldsOf,
  OperationName,
  OperationParameters,
  OperationResult,
  OperationWire,
  Problem,
  Scope,
  StreamEventData,
  StreamEventName,
  WorldMetadata,
} from '../index.ts';

/** The names of the entries that are not the same type on both sides. */
type Differing<A, B extends { [K in keyof A]: unknown }> = {
  [K in keyof A]: [A[K], B[K]] extends [B[K], A[K]] ? never : K;
}[keyof A];

/** A field that may be absent may also be undefined: the client leaves it out. */
type Lenient<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

type CallableEndpoints = {
  [N in keyof SdkEndpoints as SdkEndpoints[N]['answer'] extends EventStream ? never : N]: SdkEndpoints[N];
};

test('the compiler finds each operation written as its schemas have it', () => {
  type Written = written.OperationTypes;
  expectTypeOf<keyof Written>().toEqualTypeOf<OperationName>();
  type Parameters = { [N in OperationName]: Written[N]['parameters'] };
  expectTypeOf<Differing<{ [N in OperationName]: OperationParameters<N> }, Parameters>>().toBeNever();
  type Wire = { [N in OperationName]: written.WireParameters<N> };
  expectTypeOf<Differing<{ [N in OperationName]: OperationWire<N> }, Wire>>().toBeNever();
  type Results = { [N in OperationName]: Written[N]['result'] };
  expectTypeOf<Differing<{ [N in OperationName]: OperationResult<N> }, Results>>().toBeNever();
});

test('the compiler finds each endpoint written as its schemas have it', () => {
  type Written = written.EndpointTypes;
  expectTypeOf<keyof Written>().toEqualTypeOf<keyof CallableEndpoints>();
  type Fields = { [N in keyof Written]: Written[N]['fields'] };
  type Asked = { [N in keyof Written]: Lenient<FieldsOf<AllEndpoints[N]>> };
  expectTypeOf<Differing<Asked, Fields>>().toBeNever();
  type Answers = { [N in keyof Written]: Written[N]['answer'] };
  expectTypeOf<Differing<{ [N in keyof Written]: AnswerOf<AllEndpoints[N]> }, Answers>>().toBeNever();
});

test('the compiler finds events and words written as the contract has them', () => {
  type Written = written.ChannelTypes;
  expectTypeOf<keyof Written>().toEqualTypeOf<Channel>();
  expectTypeOf<Differing<ChannelData, { [C in Channel]: Written[C]['data'] }>>().toBeNever();
  expectTypeOf<Differing<ChannelFilters, { [C in Channel]: Written[C]['filters'] }>>().toBeNever();
  expectTypeOf<ChannelEventNames[Exclude<Channel, 'hooks'>]>().toExtend<Written[Channel]['event']>();
  type Told = { [E in StreamEventName]: StreamEventData<E> };
  expectTypeOf<Differing<Told, written.StreamEventTypes>>().toBeNever();
  interface Words {
    errorCode: ErrorCode;
    scope: Scope;
    channel: Channel;
    consoleLevel: ConsoleLevel;
    problem: Problem;
    world: WorldMetadata;
    client: ClientRecord;
    clients: ClientList;
    summary: ClientSummary;
    session: ActiveSession;
  }
  interface WrittenWords {
    errorCode: written.ErrorCode;
    scope: written.Scope;
    channel: written.Channel;
    consoleLevel: written.ConsoleLevel;
    problem: written.Problem;
    world: written.WorldMetadata;
    client: written.ClientRecord;
    clients: written.ClientList;
    summary: written.ClientSummary;
    session: written.ActiveSession;
  }
  expectTypeOf<Differing<Words, WrittenWords>>().toBeNever();
});
