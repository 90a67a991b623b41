import type { Organization } from '#shared/organizations/organization';
import type { EngagementRecording } from '#shared/sends/record-engagement';
import type { SubscribedSend } from '#shared/sends/record-event';
import type { SendOfOrganization } from '#shared/sends/timeline-store';
import type { FeedbackId } from '#shared/tokens/resource-id';
import { buildOrganization } from './organization-builder.ts';
import { fakeTimelineStore } from './timeline-store-builder.ts';
import { unexpected } from './unexpected.ts';

/** Functions to be used instead. */
export type EngagementRecordingOverrides = {
  /** The organization of the send as it is beyond its subscriptions; `null` when it is gone. */
  readonly organization?: Partial<Organization> | null;
  readonly getWithOrganization?: EngagementRecording['timelines']['getWithOrganization'];
  readonly wakeQueue?: EngagementRecording['wakeQueue'];
  readonly engagements?: Partial<EngagementRecording['engagements']>;
  readonly heard?: Partial<EngagementRecording['heard']>;
  readonly settlements?: Partial<EngagementRecording['settlements']>;
};

/**
 * Fakes what recording a hit uses: a table of one send, and a hit that is news. `effects` lists the
 * writes in their order.
 */
export function fakeEngagementRecording(
  { send, subscriptions }: SubscribedSend,
  overrides: EngagementRecordingOverrides = {},
) {
  const effects: (readonly [name: string, ...args: readonly unknown[]])[] = [];
  const recorded =
    <Args extends readonly unknown[], Result>(name: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      effects.push([name, ...args]);
      return run(...args);
    };
  const engagements: EngagementRecording['engagements'] = {
    find: async () => undefined,
    countHit: async () => {},
    countNews: async () => 'told',
    ...overrides.engagements,
  };
  const heard: EngagementRecording['heard'] = {
    record: unexpected('heard.record'),
    markFirst: async () => {},
    countOpen: async () => {},
    countOpenNews: async () => 'told',
    ...overrides.heard,
  };
  const organization =
    overrides.organization === null
      ? undefined
      : buildOrganization({ webhooks: subscriptions, ...overrides.organization });
  const getWithOrganization = async (feedbackId: FeedbackId): Promise<SendOfOrganization> => ({
    send: feedbackId === send.feedbackId ? send : undefined,
    organization,
  });
  const recording: EngagementRecording = {
    timelines: fakeTimelineStore({
      getWithOrganization: overrides.getWithOrganization ?? getWithOrganization,
    }),
    settlements: {
      commitAcceptance: unexpected('settlements.commitAcceptance'),
      recordFailure: unexpected('settlements.recordFailure'),
      recordRejection: unexpected('settlements.recordRejection'),
      recordProof: recorded('recordProof', overrides.settlements?.recordProof ?? (async () => {})),
    },
    engagements: {
      find: engagements.find,
      countHit: recorded('countHit', engagements.countHit),
      countNews: recorded('countNews', engagements.countNews),
    },
    heard: {
      record: heard.record,
      markFirst: recorded('markFirst', heard.markFirst),
      countOpen: recorded('countOpen', heard.countOpen),
      countOpenNews: recorded('countOpenNews', heard.countOpenNews),
    },
    wakeQueue: recorded('wakeQueue', overrides.wakeQueue ?? (async () => {})),
  };
  return { recording, effects };
}
