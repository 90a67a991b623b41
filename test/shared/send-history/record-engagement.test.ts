import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { recordEngagement } from '#shared/send-history/record-engagement';
import { clickOf, openOf } from '#shared/tracking/engagement';
import {
  type EmailGiven,
  type EmailWorld,
  isWrite,
  recordedAt as now,
  openEmailWorld,
  typesOf,
} from '../../support/email-world.ts';
import { buildSend } from '../../support/send-builder.ts';

const person = { at: now, isMachine: false };
const machine = { at: now, isMachine: true };

/** An endpoint for all types. */
const all: readonly string[][] = [[]];

const openSent = (given: EmailGiven = {}) => openEmailWorld({ isSettled: true, ...given });

const open = ({ send, recording }: EmailWorld, hit = person) =>
  recordEngagement(openOf(send.feedbackId), hit, recording);

const page = 'https://shop.example.com/order';

const click = ({ send, recording }: EmailWorld, hit = person, destination = page) =>
  recordEngagement(clickOf({ feedbackId: send.feedbackId, destination }), hit, recording);

const hitsOf = async ({ timeline }: EmailWorld) =>
  (await timeline()).events.filter(({ type }) => type !== 'sent');

const deliveriesOf = async ({ timeline }: EmailWorld) => (await timeline()).deliveries;

describe('a hit (open or click) on an email', () => {
  it('is counted with its send', async () => {
    const world = await openSent();

    await open(world);

    expect(await hitsOf(world)).toEqual([{ type: 'opened', ts: now, hits: 1, machine: false }]);
  });

  it("on a link is counted on the link's item, and the send has the time of the first person", async () => {
    const world = await openSent();

    await click(world, machine);
    const byMachine = await world.timeline();
    await click(world, { ...person, at: now + 1 });
    const byPerson = await world.timeline();

    const hit = { type: 'clicked', url: page };
    expect(byMachine.events).toContainEqual({ ...hit, ts: now, hits: 1, machine: true });
    expect(byMachine.send.firstClickAt).toBeUndefined();
    expect(byPerson.events).toContainEqual({ ...hit, ts: now + 1, hits: 2, machine: false });
    expect(byPerson.send.firstClickAt).toBe(now + 1);
  });

  it("that is its link's first expires with the send", async () => {
    const world = await openSent();

    await click(world, machine);

    const stored = world.items().find(({ type }) => type === 'clicked');
    expect(stored).toHaveProperty('expiresAt', world.send.expiresAt);
  });

  it("on an unknown send isn't counted", async () => {
    const world = await openSent({ webhooks: all });
    const before = world.items();

    await open({ ...world, send: buildSend() });

    expect(world.items()).toEqual(before);
  });

  it.each<[string, (world: EmailWorld) => unknown, Partial<Organization>]>([
    ['is gone', ({ removeOrganization }) => removeOrganization(), {}],
    ['has its links disabled', () => {}, { linksDisabled: true }],
  ])("on an organization that %s isn't counted", async (_what, prepare, organization) => {
    const world = await openSent({ webhooks: all, organization });
    await prepare(world);
    const before = world.items();

    await open(world);

    expect(world.items()).toEqual(before);
  });

  it('that is new is counted with its webhook deliveries, which are then sent', async () => {
    const world = await openSent({ webhooks: all });

    await click(world, person, `${page}?token=secret`);

    const [webhookId] = Object.keys(world.organization.webhooks);
    const delivery = expect.objectContaining({
      ...{ webhookId, type: 'email.clicked', expiresAt: world.send.expiresAt },
      body: expect.stringContaining(`"url":"${page}"`),
    });
    expect(await deliveriesOf(world)).toEqual([delivery]);
    expect(world.woken).toEqual([delivery]);
    expect(JSON.stringify(world.items())).not.toContain('token=secret');
  });

  it("on an email with an erased person is counted and reported without its link's path", async () => {
    const world = await openSent({ webhooks: all, toEmail: 'erased' });

    await click(world, person, 'https://shop.example.com/unsubscribe/ann%40example.com?really=yes');

    const url = 'https://shop.example.com';
    expect(await hitsOf(world)).toMatchObject([{ type: 'clicked', url }]);
    expect((await deliveriesOf(world))[0]?.body).toContain(`"url":"${url}"`);
    expect(JSON.stringify(world.items())).not.toContain('ann%40');
  });

  it("that isn't new is counted and not reported", async () => {
    const world = await openSent({ webhooks: all });
    await open(world);

    await open(world);
    await open(world, machine);

    expect(await hitsOf(world)).toMatchObject([{ hits: 3 }]);
    expect(await deliveriesOf(world)).toHaveLength(1);
    expect(world.woken).toHaveLength(1);
  });

  it.each([
    ['open', open],
    ['click', click],
  ])('wakes no delivery when another %s was faster', async (_what, record) => {
    const world = await openSent({ webhooks: all });
    world.behaviour.beforeNextWrite = () => record(world);

    await record(world);

    expect(await hitsOf(world)).toMatchObject([{ hits: 2 }]);
    expect(await deliveriesOf(world)).toHaveLength(1);
    expect(world.woken).toHaveLength(1);
  });

  it('is reported without a person who was erased from its send at the same moment', async () => {
    const world = await openSent({ webhooks: all });
    world.behaviour.beforeNextWrite = world.eraseAnn;

    await open(world);

    expect(await hitsOf(world)).toMatchObject([{ hits: 1 }]);
    expect(world.woken).toHaveLength(1);
    expect(JSON.stringify(world.items())).not.toContain('ann@');
  });

  it.each<[string, readonly string[][]]>([
    ['an endpoint', all],
    ['no endpoint', []],
  ])(
    'on a link for the first time leaves out its path when a person is erased at the same moment, with %s',
    async (_what, webhooks) => {
      const world = await openSent({ webhooks });
      world.behaviour.beforeNextWrite = world.eraseAnn;

      await click(world, machine, 'https://shop.example.com/ann@example.com');

      expect(await hitsOf(world)).toMatchObject([{ url: 'https://shop.example.com', hits: 1 }]);
      expect(JSON.stringify(world.items())).not.toContain('ann@');
    },
  );

  it("is reported once as a machine's and once as a person's", async () => {
    const world = await openSent({ webhooks: all });

    await open(world, machine);
    await open(world, person);
    await open(world, { ...person, at: now + 9_000 });

    expect(typesOf(world.woken)).toEqual(['email.opened', 'email.opened']);
    expect(new Set(world.woken.map(({ messageId }) => messageId)).size).toBe(2);
  });
});

describe('a hit on an email in doubt', () => {
  it('proves that SES took it', async () => {
    const world = await openEmailWorld();

    await open(world);

    expect((await world.timeline()).send).toMatchObject({ provenAt: now, opens: 1 });
  });

  it("proves that even when it comes from a machine or isn't new", async () => {
    const world = await openEmailWorld({ webhooks: all, opens: 1 });

    await open(world, machine);

    expect((await world.timeline()).send).toMatchObject({ provenAt: now, opens: 2 });
  });

  it.each(['failed', 'suppressed'] as const)(
    'proves that even when a later attempt has made the send `%s`',
    async (status) => {
      const world = await openEmailWorld({ status });

      await open(world);

      expect((await world.timeline()).send).toHaveProperty('provenAt', now);
    },
  );

  it("isn't counted when the proof couldn't be stored", async () => {
    const world = await openEmailWorld();
    const before = world.items();
    let writes = 0;
    world.behaviour.fails = (call) => {
      writes += Number(isWrite(call));
      return writes === 1;
    };

    await expect(open(world)).rejects.toThrow('throttled');

    expect(world.items()).toEqual(before);
  });
});
