import { describe, expect, it } from 'vitest';
import { getApiKey } from '#shared/access/api-key-store';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  type DeclaredSettings,
  declareOrganization,
  removeOrganization,
  settingsChanges,
} from '../../../functions/declare-organization/declare-organization.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { recordLog } from '../../support/recorded-log.ts';

const declarer = 'shop';
const now = 1_750_000_000_000;
const settings: DeclaredSettings = { name: 'Shop', senderName: 'The Shop' };

function newWorld(intercept?: Parameters<typeof openMemoryTable>[0]) {
  const memory = openMemoryTable(intercept);
  const { table } = memory;
  const declaring = { now: () => now, table };
  const log = recordLog();
  const declare = (
    requestId: string,
    given: Partial<Parameters<typeof declareOrganization>[0]> = {},
  ) =>
    declareOrganization(
      { declarer, requestId, settings, formerSettings: [], isNew: true, ...given },
      declaring,
    );
  return {
    declaring,
    table,
    log,
    declare,
    update: (requestId: string, changed: DeclaredSettings, former = Object.keys(settings)) =>
      declare(requestId, { settings: changed, formerSettings: former, isNew: false }),
    remove: (requestId: string, physicalId: string) =>
      removeOrganization({ declarer, requestId, physicalId }, declaring, log.log),
    items: memory.items,
  };
}
type World = ReturnType<typeof newWorld>;

const organizationsOf = (world: World) =>
  world.items().filter((item) => item['sk'] === 'ORGANIZATION' && 'cursorSecret' in item);
const auditOf = (world: World) =>
  world
    .items()
    .flatMap(({ action }) => (typeof action === 'string' ? [action] : []))
    .toSorted();

describe('declareOrganization', () => {
  it('creates an organization, and a key for roles whose secret nobody has', async () => {
    const world = newWorld();

    const { organizationId, apiKeyId } = await world.declare('create');

    expect(organizationsOf(world)).toMatchObject([{ id: organizationId, ...settings }]);
    const key = await getApiKey(world.table, apiKeyId);
    expect(key?.apiKey).toMatchObject({ scopes: ['send_email'] });
    expect(auditOf(world)).toEqual([
      'api_key.created',
      'organization.created',
      'organization.updated',
    ]);
  });

  it('creates only one, however often or concurrently the request arrives', async () => {
    const world = newWorld();

    const answers = await Promise.all(Array.from({ length: 5 }, () => world.declare('create')));

    expect(new Set(answers.map(({ organizationId }) => organizationId)).size).toBe(1);
    expect(organizationsOf(world)).toHaveLength(1);
  });

  it.each(['before', 'after'])(
    'creates only one if the process dies %s any of its calls and the request is repeated',
    async (when) => {
      for (let nth = 1, died = true; died; nth += 1) {
        let left = nth;
        const world = newWorld({
          intercept: async (_call, run) => {
            left -= 1;
            if (left !== 0) return run();
            if (when === 'after') await run();
            throw new Error('died');
          },
        });
        died = await world.declare('create').then(
          () => false,
          () => true,
        );
        left = 0;

        const { organizationId } = await world.declare('create');

        expect(organizationsOf(world)).toMatchObject([{ id: organizationId, ...settings }]);
      }
    },
  );

  it('changes declared settings, removes ones no longer declared, and leaves the rest alone', async () => {
    const world = newWorld();
    const { organizationId } = await world.declare('create', {
      settings: { ...settings, attachmentsEnabled: false },
    });
    const withFooter = (organization: Organization) => ({ ...organization, footerText: 'Own' });
    await changeOrganization(organizationId, 'operator', withFooter, world.declaring);

    await world.update('update', { name: 'Shop 2' }, ['name', 'senderName', 'attachmentsEnabled']);

    const after = await getOrganization(world.table, organizationId);
    expect(after).toMatchObject({ name: 'Shop 2', footerText: 'Own', attachmentsEnabled: true });
    expect(after).not.toHaveProperty('senderName');
  });

  it('ignores a late request', async () => {
    const world = newWorld();
    await world.declare('create');
    await world.update('first', { name: 'First' });
    await world.update('second', { name: 'Second' });

    await world.update('first', { name: 'First' });
    await world.declare('create');

    expect(organizationsOf(world)).toMatchObject([{ name: 'Second' }]);
  });

  it('reuses what an earlier resource or a lost answer has left', async () => {
    const world = newWorld();
    const { organizationId } = await world.declare('create');
    await world.remove('rollback', 'Stack-Shop-1ABC');

    const again = await world.declare('next', { settings: { name: 'Shop again' } });

    expect(again).toMatchObject({ organizationId, isTakenUp: true });
    expect(organizationsOf(world)).toMatchObject([{ name: 'Shop again' }]);
  });

  it('creates another one if the operator has deleted it', async () => {
    const world = newWorld();
    const { organizationId: id } = await world.declare('create');
    await deleteOrganization(
      { caller: { actor: 'operator' }, path: { id }, query: { name: 'Shop' } },
      world.declaring,
    );

    const { organizationId } = await world.update('update', settings);

    expect(organizationId).not.toBe(id);
    await world.remove('cleanup', id);
    expect(organizationsOf(world)).toMatchObject([{ id: organizationId }]);
  });
});

describe('removeOrganization', () => {
  it('deletes it once, and a late creation makes no other', async () => {
    const world = newWorld();
    const { organizationId } = await world.declare('create');

    await world.remove('delete', organizationId);
    await world.remove('delete', organizationId);
    await world.declare('create');

    expect(organizationsOf(world)).toEqual([]);
    expect(auditOf(world).filter((action) => action === 'organization.deleted')).toHaveLength(1);
  });

  it('lets a later resource create a new one, which a late deletion leaves alone', async () => {
    const world = newWorld();
    const { organizationId: former } = await world.declare('create');
    await world.remove('delete', former);

    const { organizationId } = await world.declare('next');
    await world.remove('delete', former);

    expect(organizationsOf(world)).toMatchObject([{ id: organizationId }]);
  });

  it('keeps an organization that was reused: a failed deployment rolls back by deletion', async () => {
    const world = newWorld();
    const { organizationId } = await world.declare('create');
    await world.declare('next');

    await world.remove('rollback', organizationId);

    expect(organizationsOf(world)).toHaveLength(1);
    expect(world.log.lines).toMatchObject([{ level: 'warn' }]);
  });
});

it('resets settings that are no longer declared', () => {
  expect(settingsChanges({ name: 'Shop' }, ['name', 'replyTo', 'attachmentsEnabled'])).toEqual({
    name: 'Shop',
    replyTo: null,
    attachmentsEnabled: true,
  });
});
