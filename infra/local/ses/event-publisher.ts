import { setTimeout as sleep } from 'node:timers/promises';

export type EventPublisherOptions<Event> = {
  readonly publish: (event: Event) => Promise<void>;
  /** Told of an event that could not be published; and, without one, of events that could not be made. */
  readonly reportDropped: (event: Event | undefined, error: unknown) => void;
  /** SES publishes some time after it accepted the email, as a rule after the sender has committed. */
  readonly delayMs?: number;
};

export type EventPublisher<Event> = {
  /** Publishes in this order. */
  publishLater(events: () => readonly Event[]): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Gives up what is still waiting, and waits for what is not. */
  stop(): Promise<void>;
};

/** Publishes as SES does to SNS, without the sender waiting for it. */
export function createEventPublisher<Event>({
  publish,
  reportDropped,
  delayMs = 100,
}: EventPublisherOptions<Event>): EventPublisher<Event> {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) reportDropped(undefined, error);
      })
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const publishInOrder = async (events: () => readonly Event[]) => {
    await sleep(delayMs, undefined, { signal: stopping.signal });
    for (const event of events()) {
      stopping.signal.throwIfAborted();
      await publish(event).catch((error: unknown) => reportDropped(event, error));
    }
  };

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    publishLater: (events) => track(publishInOrder(events)),
    settled,
    stop: () => {
      stopping.abort();
      return settled();
    },
  };
}
