import { hardBouncesOf, rateOf, reviewRates } from '#shared/usage/reputation-limits';
import { type EntryOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import { progressOf } from '../drawing/identity.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import type { Suggest } from '../suggestion.ts';
import { counted, type Finding, look, ok, problem, unknown } from './finding.ts';

export async function checkOrganization({
  target,
  suggest,
  asManager,
}: Session): Promise<readonly Finding[]> {
  try {
    const api = await asManager();
    const organization = await api.ask('GET /api/v1/organization');
    const { name, id } = organization;
    const paused = required(organization, 'paused');
    return [
      ok('service', `${target.name} answers`),
      paused
        ? problem('organization', `${name} is paused`, suggest(`organizations resume ${id}`))
        : ok('organization', `${name} is active`),
      ...(await look('identity', () => checkIdentity(api, suggest))),
      ...(await look('domains', () => checkOtherDomains(api, suggest))),
      ...(await look('webhooks', () => checkWebhooks(api, suggest))),
      ...(await look('reputation', () => checkReputation(api, suggest))),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [withoutAnswer(error)];
  }
}

function withoutAnswer(failure: Failure): Finding {
  const says = failure.lines().join(' ');
  if (failure.code === 'no_credential') return unknown('organization', says);
  const todo = 'Use a valid key with manage_organization.';
  // As without a key: the rest may be fine.
  if (failure.code === 'missing_scope') return unknown('organization', failure.message, todo);
  return failure.exitCode === exitCodes.denied
    ? problem('key', says, todo)
    : problem('service', says, 'Fix that first.');
}

async function checkIdentity(api: ApiClient, suggest: Suggest): Promise<readonly Finding[]> {
  const identity = await readIdentity(api);
  if (identity === undefined) {
    const todo = suggest('identity set --domain … --from-email …');
    const says = 'no default domain is set: sends that name no From address are refused';
    return [problem('identity', says, todo)];
  }
  const { domain, tenant } = identity;
  const status = required(identity, 'status');
  const account = required(identity, 'account');
  const problems = required(account, 'problems');
  const fixDns = `${suggest('identity status')} shows each record`;
  return [
    ...problems.map(({ code, message = `${code}`, wayOut = '' }) =>
      problem(code === 'sandbox' ? 'sandbox' : 'account', message, wayOut),
    ),
    ...(problems.length === 0 ? [ok('account', `SES sends in ${account.region}, to anyone`)] : []),
    status === 'active'
      ? ok('identity', `${domain} is active`)
      : problem('identity', `${domain} is ${progressOf(identity)}`, fixDns),
    ...(tenant === null || tenant === undefined
      ? []
      : tenant.sending === 'paused'
        ? [problem('tenant', 'paused by SES', "See the tenant's findings in the SES console.")]
        : [ok('tenant', 'SES lets it send')]),
  ];
}

async function checkOtherDomains(api: ApiClient, suggest: Suggest): Promise<readonly Finding[]> {
  const domains = required(await api.ask('GET /api/v1/domains'), 'data');
  return domains
    .filter(({ isDefault }) => isDefault === false)
    .map((domain) => checkDomain(domain, suggest));
}

function checkDomain(
  { domain, status, reason }: EntryOf<'GET /api/v1/domains'>,
  suggest: Suggest,
): Finding {
  if (status === 'active') return ok('domain', `${domain} is active`);
  const why = reason === undefined ? '' : `: ${reason}`;
  const todo = `${suggest(`domains show ${domain}`)} shows each record`;
  return problem('domain', `${domain} is ${status}${why}`, todo);
}

async function readIdentity(api: ApiClient) {
  try {
    return await api.ask('GET /api/v1/organization/identity');
  } catch (error) {
    if (error instanceof Failure && error.exitCode === exitCodes.notFound) return undefined;
    throw error;
  }
}

const rateWords = { bounced: 'bounce', complained: 'complaint' } as const;

/** The same figures as in the console's overview. */
async function checkReputation(api: ApiClient, suggest: Suggest): Promise<readonly Finding[]> {
  const usage = await api.ask('GET /api/v1/usage', { query: { by: 'day' } });
  const total = required(usage, 'total');
  const sends = required(total, 'sends');
  const events = required(total, 'events');
  const findings = (['bounced', 'complained'] as const).flatMap((kind) => {
    const bounced = required(events, 'bounced');
    const count =
      kind === 'bounced' ? hardBouncesOf({ ...events, bounced }) : required(events, kind);
    const { state } = rateOf(kind, sends, count);
    if (state !== 'near' && state !== 'reached') return [];
    const where = state === 'near' ? 'near' : 'over';
    const says = `the ${rateWords[kind]} rate is ${where} the limit of ${reviewRates[kind].limit}: ${count} of ${counted(sends, 'email')} in 30 days`;
    const todo = `Stop sending to old, bought or unconfirmed lists. ${suggest(`suppressions list --reason ${rateWords[kind]}`)} shows the addresses`;
    return [problem('reputation', says, todo)];
  });
  return findings.length > 0
    ? findings
    : [ok('reputation', 'bounces and complaints are below the limits')];
}

async function checkWebhooks(api: ApiClient, suggest: Suggest): Promise<readonly Finding[]> {
  const data = required(await api.ask('GET /api/v1/webhooks'), 'data');
  // Owners know about the endpoints they disabled, and retries may still succeed.
  const ill = data
    .map((one) => ({ ...one, health: required(one, 'health') }))
    .filter(
      ({ disabled, paused, health: { status } }) =>
        status !== 'well' &&
        status !== 'retrying' &&
        disabled?.reason !== 'by_owner' &&
        (disabled !== undefined || !paused),
    );
  const waiting = data.filter(({ disabled, paused }) => disabled === undefined && paused);
  if (ill.length + waiting.length === 0) return [withoutFailure(data)];
  return [
    ...ill.map(({ id, health, disabled }) =>
      problem(
        'webhooks',
        `${id} is ${health.status}${sinceText(disabled?.at ?? health.failingSince)}. ${health.outlook}`,
        deliveriesTodo,
      ),
    ),
    // Somebody paused it on purpose, and may have forgotten it.
    ...waiting.map(({ id, pausedAt }) =>
      unknown(
        'webhooks',
        `${id} is paused${sinceText(pausedAt)}: its deliveries wait`,
        `${suggest(`webhooks resume ${id}`)} lets them go out`,
      ),
    ),
  ];
}

/** A disabled endpoint can't fail. */
function withoutFailure(endpoints: readonly EntryOf<'GET /api/v1/webhooks'>[]): Finding {
  const disabled = endpoints.filter((one) => one.disabled !== undefined).length;
  const enabled = endpoints.length - disabled;
  if (endpoints.length === 0) return ok('webhooks', 'no endpoints');
  if (enabled === 0) {
    const says = `${counted(disabled, 'endpoint')}, all disabled by your team: no events are delivered`;
    const todo = 'PATCH /api/v1/webhooks/{id} with {"enabled": true} enables one.';
    return unknown('webhooks', says, todo);
  }
  const others = disabled === 0 ? '' : `; ${disabled} disabled by your team`;
  return ok('webhooks', `none of ${counted(enabled, 'enabled endpoint')} is failing${others}`);
}

const sinceText = (at: number | undefined): string =>
  at === undefined ? '' : ` since ${new Date(at).toISOString()}`;

const deliveriesTodo = 'Fix the receiver: GET /api/v1/webhooks/{id}/deliveries shows its answers.';
