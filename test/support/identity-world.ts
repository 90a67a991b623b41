import * as z from 'zod';
import type { DnsLookup } from '#shared/domains/dns-lookup';
import { ownershipRecordName } from '#shared/domains/dns-records';
import { ownershipRecordValue } from '#shared/domains/domain-ownership';
import type { DkimStatus, SesDomain } from '#shared/domains/ses-domain';
import { type SesIdentities, SesRefusal } from '#shared/domains/ses-identities';
import type { SesTenants } from '#shared/domains/ses-tenants';
import { ServiceError } from '#shared/errors/service-error';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { placeOf } from '#shared/identity/identity';
import { getIdentity, listIdentities } from '#shared/identity/identity-store';
import type { DomainCreating } from '#shared/identity/set-domain';
import { settleNotice } from '#shared/notices/due-notice-store';
import type { Organization, TenantState } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { checkIdentities } from '../../functions/check-identities/check-identities.ts';
import { endpoint as setIdentity } from '../../functions/set-identity/set-identity.ts';
import { buildManager } from './manager-builder.ts';
import { type MemoryTable, openMemoryTable } from './memory-table/memory-table.ts';
import { dueNoticesIn } from './notice-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { recordLog } from './recorded-log.ts';
import { surroundings } from './surroundings.ts';

/** The process ends here: nothing after it happens. */
export class Death extends Error {
  override readonly name = 'Death';
}

/** Ends the process right before or right after its nth effect. */
export type Doom = { readonly effect: number; readonly when: 'before' | 'after' };

/** As SES makes a domain. */
const unset = { mailFrom: undefined, forwardsBounces: true, errorType: undefined } as const;

/** SES in memory: its domains by name, the TXT records in their DNS, and what tests change of them. */
export function createFakeSes() {
  const domains = new Map<string, SesDomain>();
  /** Whose records DNS has, under every domain. */
  const publishers = new Set<OrganizationId>();
  const calls: string[] = [];
  const change = (domain: string, changed: Partial<SesDomain>) => {
    const existing = domains.get(domain);
    if (existing !== undefined) domains.set(domain, { ...existing, ...changed });
  };
  let denials = 0;
  const requireTag = () => {
    if (denials === 0) return;
    denials -= 1;
    throw new ServiceError('provider_not_ready');
  };
  const ses: SesIdentities = {
    get: async (domain) => {
      calls.push(`get ${domain}`);
      return domains.get(domain);
    },
    tag: async (domain, ownerId) => change(domain, { ownerId }),
    create: async (domain, ownerId) => {
      if (domain.endsWith('.invalid')) throw new SesRefusal('BadRequestException: no such domain');
      if (domains.has(domain)) return;
      const dkim = {
        status: 'PENDING',
        tokens: ['a', 'b', 'c'],
        hostedZone: 'dkim.example',
      } satisfies SesDomain['dkim'];
      domains.set(domain, { ...unset, ownerId, dkim });
    },
    setMailFrom: async (domain, mailFromDomain) => {
      requireTag();
      change(domain, { mailFrom: { domain: mailFromDomain, status: 'PENDING' } });
    },
    stopForwarding: async (domain) => {
      requireTag();
      change(domain, { forwardsBounces: false });
    },
    delete: async (domain) => {
      requireTag();
      domains.delete(domain);
    },
    giveBack: async (domain, { forwardsBounces }) => {
      requireTag();
      change(domain, { forwardsBounces, ownerId: undefined });
    },
    getAccount: async () => ({
      region: 'eu-west-1',
      hasProductionAccess: true,
      isSendingEnabled: true,
      enforcementStatus: 'HEALTHY',
    }),
  };
  const textsOf = async (name: string) => {
    const domain = name.replace(/^_email-service\./, '');
    if (name !== ownershipRecordName(domain)) return [];
    return [...publishers].map((id) => ownershipRecordValue(domain, id));
  };
  return {
    ses,
    domains,
    publishers,
    textsOf,
    /** What SES was asked. */
    calls,
    /** IAM doesn't know the tag yet, for this many calls that need it. */
    deny: (calls: number) => {
      denials = calls;
    },
    /** What SES says of the DKIM records from now on. */
    verify: (domain: string, status: DkimStatus, errorType?: string) => {
      const existing = domains.get(domain);
      if (existing !== undefined) change(domain, { dkim: { ...existing.dkim, status }, errorType });
    },
    /** A domain that somebody else made in the same AWS account. */
    putForeign: (domain: string) => {
      const dkim = {
        status: 'SUCCESS',
        tokens: [],
        hostedZone: 'dkim.example',
      } satisfies SesDomain['dkim'];
      domains.set(domain, { ...unset, ownerId: undefined, dkim });
    },
  };
}

const emptyDns: DnsLookup = {
  sight: async () => ({ own: [], underDoubledName: [], addresses: [] }),
  cnameOf: async () => [],
  textsOf: async () => [],
  zoneOf: async (domain) => domain,
};

export type IdentityWorldOptions = {
  readonly fake?: ReturnType<typeof createFakeSes>;
  readonly organization?: Partial<Organization>;
  readonly dns?: Partial<DnsLookup>;
  /** Its TXT records are not in DNS. */
  readonly isUnproven?: boolean;
  readonly answerKeptMs?: number;
  /** Makes organizations tenants, in this state. */
  readonly tenant?: () => TenantState;
};

export type IdentityWorld = Awaited<ReturnType<typeof openIdentityWorld>>;

/** Something that others see. */
type RunEffect = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

const writes: ReadonlySet<unknown> = new Set(
  ['DeleteItem', 'PutItem', 'TransactWriteItems', 'UpdateItem'].map((name) => `${name}Command`),
);
const keySchema = z.object({ sk: z.string() });
const writeSchema = z.object({
  Key: keySchema.optional(),
  Item: keySchema.optional(),
  UpdateExpression: z.string().default(''),
});
const transactionSchema = z
  .object({ TransactItems: z.tuple([z.record(z.string(), writeSchema)]).rest(z.unknown()) })
  .transform(({ TransactItems: [first] }) => Object.values(first)[0]);

/** Counts and answers kept for a while: to die at one is to die at the effect next to it. */
const isUnseen = /\b(?:changes|askedAt|seen)\b/;

/** The table as a process opens it. A write of it is an effect, named for its first item: `IDENTITY`, `LEASE`. */
function openOwnTable({ open }: Pick<MemoryTable, 'open'>, effect: RunEffect): Table {
  const table = open();
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!writes.has(commandName)) return next(args);
        const write = z.union([transactionSchema, writeSchema]).parse(args.input);
        if (isUnseen.test(write?.UpdateExpression ?? '')) return next(args);
        const { sk = '' } = write?.Key ?? write?.Item ?? {};
        return effect(sk.replace(/#.*/, ''), () => next(args));
      },
    { step: 'initialize', name: 'effects' },
  );
  return table;
}

/** An organization without identity, the table that has it, SES and a clock in memory. */
export async function openIdentityWorld(
  memory: Pick<MemoryTable, 'table' | 'open'>,
  options: IdentityWorldOptions = {},
) {
  const { identity: _, ...bare } = buildOrganization();
  const organization: Organization = { ...bare, ...options.organization };
  await putOrganization(memory.table, organization);
  const { fake = createFakeSes(), dns = {}, tenant } = options;
  if (options.isUnproven !== true) fake.publishers.add(organization.id);
  const manager = buildManager(organization.id);
  const tenants: string[] = [];
  const log = recordLog();
  let clock = 1_750_000_000_000;
  let doom: Doom | undefined;
  let effects: string[] = [];

  const effect: RunEffect = async (name, run) => {
    if (doom !== undefined && effects.length >= doom.effect) throw new Death(`long before ${name}`);
    effects.push(name);
    const isLast = doom?.effect === effects.length;
    if (isLast && doom?.when === 'before') throw new Death(`before ${name}`);
    const result = await run();
    if (isLast) throw new Death(`after ${name}`);
    return result;
  };
  const table = openOwnTable(memory, effect);
  const ses: SesIdentities = {
    ...fake.ses,
    create: (...args) => effect('create', () => fake.ses.create(...args)),
    setMailFrom: (...args) => effect('setMailFrom', () => fake.ses.setMailFrom(...args)),
    stopForwarding: (...args) => effect('stopForwarding', () => fake.ses.stopForwarding(...args)),
    tag: (...args) => effect('tag', () => fake.ses.tag(...args)),
    delete: (...args) => effect('delete', () => fake.ses.delete(...args)),
    giveBack: (...args) => effect('giveBack', () => fake.ses.giveBack(...args)),
  };
  const fakeTenants: SesTenants = {
    ensure: async (id: OrganizationId, domains) => {
      tenants.push(`${id} has ${domains.join(', ')}`);
      return tenant?.() ?? { sending: 'enabled' };
    },
    dissociate: async (id, domain) => {
      tenants.push(`${id} loses ${domain}`);
    },
    delete: (id) =>
      effect('deleteTenant', async () => {
        tenants.push(`${id} is gone`);
      }),
  };
  const management: DomainCreating = {
    limitsOfDeployment: {},
    table,
    now: () => clock,
    answerKeptMs: options.answerKeptMs ?? 0,
    ses,
    tenants: tenant && fakeTenants,
    dns: { ...emptyDns, textsOf: fake.textsOf, ...dns },
    wakeQueue: async () => {},
    sendRetentionDays: 90,
  };
  return {
    organizationId: organization.id,
    /** What requests of the organization's manager have in common. */
    request: { caller: manager.caller, log: log.log },
    management,
    fake,
    tenants,
    log: log.log,
    lines: log.lines,
    /** What the schedule's run has. */
    checks: {
      ...management,
      sleep: async (milliseconds: number) => {
        clock += milliseconds;
      },
    },
    read: () => getIdentity(memory.table, organization.id),
    /** The notices that wait to be sent to it, in the order of their causes. */
    notices: async () =>
      (await dueNoticesIn(memory.table, clock))
        .filter(({ organizationId }) => organizationId === organization.id)
        .sort((one, other) => (one.cause < other.cause ? -1 : 1)),
    /** Forgets the notices of until now, as if they were sent. */
    settleNotices: async () => {
      for (const notice of await dueNoticesIn(memory.table, clock)) {
        await settleNotice(memory.table, notice, 'sent');
      }
    },
    /** Deletes the organization, as the operator does. */
    deleteOrganization: () =>
      deleteOrganization(
        {
          caller: { actor: 'operator' },
          path: { id: organization.id },
          query: { name: organization.name },
        },
        { table: memory.table, now: () => clock },
      ),
    /** The effects since the last `begin`, in their order. */
    effects: () => effects,
    begin: (next?: Doom) => {
      effects = [];
      doom = next;
    },
    now: () => clock,
    pass: (milliseconds: number) => {
      clock += milliseconds;
    },
  };
}

/** Two organizations in one table, which comes third, and one SES account. */
export async function openTwoIdentityWorlds(
  one: IdentityWorldOptions = {},
  other: IdentityWorldOptions = one,
) {
  const memory = openMemoryTable();
  const fake = createFakeSes();
  const first = await openIdentityWorld(memory, { ...one, fake });
  const second = await openIdentityWorld(memory, { ...other, fake });
  return [first, second, memory] as const;
}

export const mailDomain = 'mail.example.com';

/** Sets the identity of the organization, as its manager does. */
export const setDomain = (
  world: IdentityWorld,
  domain = mailDomain,
  management = world.management,
) =>
  setIdentity.run(
    {
      ...surroundings,
      ...world.request,
      body: { domain, fromEmail: `hello@${domain}`, mailFromLabel: 'bounces' },
    },
    management,
  );

/** What the schedule does, as soon as all domains of this organization, or of these, are due. */
export async function checkDomains(
  world: IdentityWorld,
  checks: Partial<IdentityWorld['checks']> = {},
  worlds: readonly IdentityWorld[] = [world],
): Promise<void> {
  const all = await Promise.all(
    worlds.map(({ organizationId }) => listIdentities(world.checks.table, organizationId)),
  );
  await checkIdentities(all.flat().map(placeOf), { ...world.checks, ...checks }, world.log);
}

/** SES finds the records of domains, and the schedule sees that. */
export async function verifyDomains(
  world: IdentityWorld,
  ...domains: readonly string[]
): Promise<void> {
  for (const domain of domains) world.fake.verify(domain, 'SUCCESS');
  await checkDomains(world);
}

/** Sets the identity, which becomes active. */
export async function useDomain(world: IdentityWorld, domain = mailDomain): Promise<void> {
  await setDomain(world, domain);
  await verifyDomains(world, domain);
}
