import { createHandlerLoader } from '../../infra/local/gateway/functions.ts';
import { createProviderEventIntake } from '../../infra/local/ses/event-intake.ts';
import type { SesEvent } from '../../infra/local/ses/events.ts';

/** The events of SES on their way: they are held until the test says what becomes of them. */
export type ProviderEventTap = {
  /** Takes the event in, for the simulator. */
  publish(event: SesEvent): Promise<void>;
  /** Hands one event to the intake, as often as the test likes, also one of the test's own making. */
  deliver(event: object): Promise<void>;
  /** Hands all that is held to the intake, in the order of publication. */
  deliverAll(): Promise<void>;
  /** Takes held events away, all unless told which: they are lost, or the test's to deliver. */
  take(isTaken?: (event: SesEvent) => boolean): SesEvent[];
};

/**
 * Opens the tap in front of the real intake. The intake runs in this process, as it is a Lambda of
 * its own that outlives a sender; it reads its environment when the first event comes.
 */
export function openProviderEventTap(topicArn: string): ProviderEventTap {
  let held: readonly SesEvent[] = [];
  const take = (isTaken: (event: SesEvent) => boolean = () => true) => {
    const { taken = [], left = [] } = Object.groupBy(held, (event) =>
      isTaken(event) ? 'taken' : 'left',
    );
    held = left;
    return taken;
  };
  const deliver = createProviderEventIntake(createHandlerLoader(), topicArn);
  return {
    publish: async (event) => {
      held = [...held, event];
    },
    deliver,
    deliverAll: async () => {
      for (const event of take()) await deliver(event);
    },
    take,
  };
}
