import { describe, expect, it } from 'vitest';
import { clickOf } from '#shared/tracking/engagement';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import type { Visit } from '#shared/tracking/visit';
import { trackClick } from '../../../functions/track-click/track-click.ts';
import { fakeEngagementRecording } from '../../support/engagement-recording-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildVisit } from '../../support/visit-builder.ts';

const now = 1_750_000_000_000;
const keyring = buildKeyring();
const send = buildSend({ status: 'sent', providerMessageId: 'message-1', sentAt: now - 60_000 });
const { feedbackId } = send;
const destination = 'https://shop.example.com/order?id=1';
const token = signClickToken(keyring, feedbackId, destination);

/** A visit of the mail of `send`. `recorded` lists what is counted of it. */
function visit(overrides: Partial<Visit>, countHit = async () => {}) {
  const { recording, effects: recorded } = fakeEngagementRecording(
    { send, subscriptions: {} },
    { engagements: { countHit } },
  );
  const tracking = { ...recording, now: () => now, keyring: async () => keyring };
  const run = () => trackClick(buildVisit({ token, ...overrides }), tracking);
  return { run, recorded };
}

describe('trackClick', () => {
  it('leads to the destination and records the click', async () => {
    const { run, recorded } = visit({});

    expect(await run()).toBe(destination);
    expect(recorded).toEqual([
      [
        'countHit',
        clickOf({ feedbackId, destination }),
        { at: now, isMachine: false },
        send.expiresAt,
      ],
    ]);
  });

  it('leads to the destination even if the click cannot be recorded', async () => {
    const { log, lines } = recordLog();
    const { run } = visit({ log }, () => Promise.reject(new Error('throttled')));

    expect(await run()).toBe(destination);
    expect(lines).toMatchObject([{ level: 'error', message: 'visit not recorded' }]);
  });

  it('marks the click of a machine', async () => {
    const { run, recorded } = visit({ headers: {} });

    await run();

    expect(recorded).toMatchObject([['countHit', {}, { isMachine: true }, send.expiresAt]]);
  });

  it('does not count a HEAD request, which only asks where the link leads', async () => {
    const { run, recorded } = visit({ method: 'HEAD' });

    expect(await run()).toBe(destination);
    expect(recorded).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['altered', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['signed by another key', signClickToken(buildKeyring(), feedbackId, destination)],
    ['of an open pixel', signOpenToken(keyring, feedbackId)],
    ['an address', 'https://evil.example.com/'],
  ])('leads nowhere by a token that is %s, and records nothing', async (_what, forged) => {
    const { run, recorded } = visit({ token: forged });

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(recorded).toEqual([]);
  });
});
