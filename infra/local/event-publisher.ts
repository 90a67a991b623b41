import { setTimeout as sleep } from 'node:timers/promises';

export type EventPublisherOptions<Event> = {
  readonly publish: (event: Event) => Promise<void>;
  /**
   * Told of an event that every attempt failed for, which on AWS goes to the dead-letter queue; and,
   * without one, of events that could not be made.
   */
  readonly reportDropped: (event: Event | undefined, error: unknown) => void;
  /** SES publishes some time after it accepted the email, as a rule after the sender has committed. */
  readonly delayMs?: number;
  /** Lambda retries an asynchronous invocation twice, after one and two minutes: here sooner. */
  readonly retryDelaysMs?: readonly number[];
};

export type EventPublisher<Event> = {
  /** Publishes in this order; a failed event is retried while the next ones go on. */
  publishLater(events: () => readonly Event[]): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Gives up what is still waiting, and waits for what is not. */
  stop(): Promise<void>;
};

/** Publishes as SNS does to a function: at least once, without the sender waiting for it. */
export function createEventPublisher<Event>({
  publish,
  reportDropped,
  delayMs = 100,
  retryDelaysMs = [1_000, 2_000],
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

  const retry = async (event: Event, firstError: unknown) => {
    let error = firstError;
    for (const retryDelayMs of retryDelaysMs) {
      await sleep(retryDelayMs, undefined, { signal: stopping.signal });
      try {
        return await publish(event);
      } catch (latest) {
        error = latest;
      }
    }
    reportDropped(event, error);
  };

  const publishInOrder = async (events: () => readonly Event[]) => {
    await sleep(delayMs, undefined, { signal: stopping.signal });
    for (const event of events()) {
      stopping.signal.throwIfAborted();
      await publish(event).catch((error: unknown) => track(retry(event, error)));
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
