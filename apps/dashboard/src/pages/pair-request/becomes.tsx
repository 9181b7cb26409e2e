import type { Signal } from '@preact/signals';
import type { PairRequest } from '@tabletop-relay/contract';

type Joined = NonNullable<PairRequest['joins']>;

const nameOfJoined = ({ customName, worldTitle, clientId }: Joined): string =>
  customName || worldTitle || clientId;

/**
 * Whether the page is open where no browser of the world is paired: the person is asked whether it is theirs. An instance of
 * the version before answers without `joins`.
 */
export const isAtNewAddress = ({ joins }: PairRequest): boolean => joins?.isAtAddress === false;

/** The world that the asking page becomes, as the relay looked it up. */
export function Becomes({ request, isOwn }: { request: PairRequest; isOwn: Signal<boolean> }) {
  const { joins } = request;
  if (!joins) {
    return (
      <p class="notice good">
        <strong>It becomes a new world of yours.</strong> The worlds that you have stay as they are.
      </p>
    );
  }
  const name = nameOfJoined(joins);
  if (joins.isAtAddress) {
    return (
      <p class="notice good">
        <strong>It joins your world “{name}” as a further browser.</strong> Programs that may act in that
        world act in this browser when it is the one that is connected.
      </p>
    );
  }
  return (
    <div class="notice warn">
      <p>
        <strong>It would join your world “{name}”, from an address that is new to it.</strong> Your world was
        paired {joins.pairedOrigin ? `at ${joins.pairedOrigin}` : 'by a program'}. A stranger’s tabletop can
        say that it is your world, and would then answer for it.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOwn.value}
          onChange={(event) => (isOwn.value = event.currentTarget.checked)}
        />
        <span>
          {request.origin || 'The program that asks'} is my own tabletop, with the world “{name}”.
        </span>
      </label>
    </div>
  );
}
