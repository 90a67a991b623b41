import { describe, expect, it } from 'vitest';
import { clickOf } from '#shared/tracking/engagement';
import type { LinkRequest } from '#shared/tracking/hit';
import { signClickToken, signOpenToken } from '#shared/tracking/tracking-token';
import { trackClick } from '../../../functions/track-click/track-click.ts';
import {
  type EngagementRecordingOverrides,
  fakeEngagementRecording,
} from '../../support/engagement-recording-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildLinkRequest } from '../../support/link-request-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const keyring = buildKeyring();
const send = buildSend({ status: 'sent', providerMessageId: 'message-1', sentAt: now - 60_000 });
const { feedbackId } = send;
const destination = 'https://shop.example.com/order?id=1';
const token = signClickToken(keyring, feedbackId, destination);

/** A request for a link of the mail of `send`, hit before. `recorded` lists what is counted of it. */
function track(
  overrides: Partial<LinkRequest>,
  countHit = async () => {},
  more: EngagementRecordingOverrides = {},
) {
  const { recording, effects: recorded } = fakeEngagementRecording(
    { send, subscriptions: {} },
    { engagements: { find: async () => ({}), countHit }, ...more },
  );
  const tracking = { ...recording, now: () => now, keyring: async () => keyring };
  const run = () => trackClick(buildLinkRequest({ token, ...overrides }), tracking);
  return { run, recorded };
}

describe('trackClick', () => {
  it('redirects to the destination and records the click', async () => {
    const { run, recorded } = track({});

    expect(await run()).toEqual({ kind: 'redirect', destination });
    expect(recorded).toEqual([
      ['markFirst', send, 'clicked', now],
      ['countHit', clickOf({ feedbackId, destination }), { at: now, isMachine: false }],
    ]);
  });

  it("redirects even if the click can't be recorded", async () => {
    const { log, lines } = recordLog();
    const { run } = track({ log }, () => Promise.reject(new Error('throttled')));

    expect(await run()).toEqual({ kind: 'redirect', destination });
    expect(lines).toMatchObject([{ level: 'error', message: 'hit not recorded' }]);
  });

  it("marks a machine's click", async () => {
    const { run, recorded } = track({ headers: {} });

    await run();

    expect(recorded).toMatchObject([['countHit', {}, { isMachine: true }]]);
  });

  it("doesn't count a HEAD request, which only asks where the link leads", async () => {
    const { run, recorded } = track({ method: 'HEAD' });

    expect(await run()).toEqual({ kind: 'redirect', destination });
    expect(recorded).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['altered', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['signed by another key', signClickToken(buildKeyring(), feedbackId, destination)],
    ['of an open pixel', signOpenToken(keyring, feedbackId)],
    ['an address', 'https://evil.example.com/'],
  ])('redirects nowhere for a token that is %s, and records nothing', async (_what, forged) => {
    const { run, recorded } = track({ token: forged });

    expect((await serviceErrorOf(run)).code).toBe('link_not_found');
    expect(recorded).toEqual([]);
  });

  it.each([
    ['was deleted', null],
    ['has its links disabled', { linksDisabled: true }],
    ['is paused and has its links disabled', { paused: true, linksDisabled: true }],
  ])(
    'redirects nowhere once the organization %s, and records nothing',
    async (_what, organization) => {
      const get = track({}, undefined, { organization });
      const head = track({ method: 'HEAD' }, undefined, { organization });

      expect((await serviceErrorOf(get.run)).code).toBe('link_withdrawn');
      expect((await serviceErrorOf(head.run)).code).toBe('link_withdrawn');
      expect(get.recorded).toEqual([]);
    },
  );

  it('asks before redirecting while the organization is paused, and records the click', async () => {
    const { run, recorded } = track({}, undefined, { organization: { paused: true } });

    expect(await run()).toEqual({ kind: 'ask', destination, organizationName: 'Example Ltd' });
    expect(recorded).toMatchObject([
      ['markFirst', {}, 'clicked', now],
      ['countHit', {}, { isMachine: false }],
    ]);
  });

  it("redirects to an expired send's destination", async () => {
    const forgotten = signClickToken(keyring, buildSend().feedbackId, destination);
    const { run, recorded } = track({ token: forgotten });

    expect(await run()).toEqual({ kind: 'redirect', destination });
    expect(recorded).toEqual([]);
  });

  it("redirects when its permission can't be checked, as a person is waiting", async () => {
    const { log, lines } = recordLog();
    const getWithOrganization = () => Promise.reject(new Error('throttled'));
    const { run } = track({ log }, undefined, { getWithOrganization });

    expect(await run()).toEqual({ kind: 'redirect', destination });
    expect(lines).toMatchObject([
      { level: 'error', message: 'link not judged' },
      { level: 'error', message: 'hit not recorded' },
    ]);
  });

  it('reads organization and send once, whatever is recorded', async () => {
    let reads = 0;
    const getWithOrganization = async () => {
      reads += 1;
      return { send, organization: buildOrganization() };
    };
    const { run } = track({}, undefined, { getWithOrganization });

    await run();

    expect(reads).toBe(1);
  });
});
