import { describe, expect, it } from 'vitest';
import type { LinkRequest } from '#shared/tracking/hit';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import { trackOpen } from '../../../functions/track-open/track-open.ts';
import { fakeEngagementRecording } from '../../support/engagement-recording-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildLinkRequest } from '../../support/link-request-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const keyring = buildKeyring();
const send = buildSend({ status: 'sent', providerMessageId: 'message-1', sentAt: now - 60_000 });
const { feedbackId } = send;
const token = signOpenToken(keyring, feedbackId);

/** A request for a link of the mail of `send`. `recorded` lists what is counted of it. */
function track(overrides: Partial<LinkRequest>, countOpen = async () => {}) {
  const { recording, effects: recorded } = fakeEngagementRecording(
    { send, subscriptions: {} },
    { heard: { countOpen } },
  );
  const tracking = { ...recording, now: () => now, keyring: async () => keyring };
  const run = () => trackOpen(buildLinkRequest({ token, ...overrides }), tracking);
  return { run, recorded };
}

describe('trackOpen', () => {
  it("records a person's open", async () => {
    const { run, recorded } = track({});

    await run();

    expect(recorded).toEqual([['countOpen', send, { at: now, isMachine: false }]]);
  });

  it("records a machine's open as such", async () => {
    const { run, recorded } = track({ headers: { 'user-agent': 'Mozilla/5.0' } });

    await run();

    expect(recorded).toEqual([['countOpen', send, { at: now, isMachine: true }]]);
  });

  it("answers even if the open can't be recorded", async () => {
    const { log, lines } = recordLog();
    const { run } = track({ log }, () => Promise.reject(new Error('throttled')));

    await expect(run()).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 'error', message: 'hit not recorded' }]);
  });

  it.each([
    ['empty', ''],
    ['signed by another key', signOpenToken(buildKeyring(), feedbackId)],
    ['of a link', signClickToken(keyring, feedbackId, 'https://example.com/')],
  ])('serves no pixel for a token that is %s', async (_what, forged) => {
    const { run, recorded } = track({ token: forged });

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(recorded).toEqual([]);
  });
});
