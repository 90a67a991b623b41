import * as z from 'zod/mini';
import type { attachmentEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { refusedBy } from '#shared/errors/refused-by';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type Entitlement = {
  readonly allowed: boolean;
  readonly preview?: z.core.util.JSONType | undefined;
  /** If set, attachments are refused. */
  readonly failure?: unknown;
};

/** Never rejects: if in doubt, attachments aren't allowed. */
export type EntitlementCheck = (organization: Organization, now: number) => Promise<Entitlement>;

/** For deployments without an entitlement service. */
const checkOwnSetting: EntitlementCheck = async ({ attachmentsEnabled }) => ({
  allowed: attachmentsEnabled,
});

export function createEntitlementCheck({
  ENTITLEMENTS_URL: url,
  ENTITLEMENTS_SECRET_ID: secretId,
}: z.output<typeof attachmentEnvironment>): EntitlementCheck {
  if (url === undefined) return checkOwnSetting;
  if (secretId === undefined) throw new Error('ENTITLEMENTS_URL needs an ENTITLEMENTS_SECRET_ID');
  return createEntitlementService({
    url,
    secret: secretReader(secretId, z.string().check(z.minLength(1))),
  });
}

type EntitlementServiceSettings = {
  readonly url: string;
  readonly secret: () => Promise<string>;
  /** For the whole check, including its one retry. */
  readonly timeoutMs?: number;
};

const defaultTimeoutMs = 2_000;
const keptForMs = 60_000;
const maxKept = 1_000;

const answerSchema = z.object({ allowed: z.boolean(), preview: z.optional(z.json()) });

type Kept = { readonly until: number; readonly entitlement: Promise<Entitlement> };

/**
 * Asks at most once a minute per organization, for all who want to know at the same time, too. Fails closed: no answer,
 * a late one or a malformed one means no, and isn't cached.
 */
export function createEntitlementService(settings: EntitlementServiceSettings): EntitlementCheck {
  const kept = new Map<OrganizationId, Kept>();
  return async ({ id }, now) => {
    const known = kept.get(id);
    if (known !== undefined && now < known.until) return known.entitlement;
    const entitlement = ask(settings, id).catch((failure: unknown) => {
      kept.delete(id);
      return { allowed: false, failure };
    });
    if (kept.size >= maxKept) kept.clear();
    kept.set(id, { until: now + keptForMs, entitlement });
    return entitlement;
  };
}

async function ask(
  { url, secret, timeoutMs = defaultTimeoutMs }: EntitlementServiceSettings,
  customerId: OrganizationId,
): Promise<Entitlement> {
  const authorization = `Bearer ${await secret()}`;
  const signal = AbortSignal.timeout(timeoutMs);
  const post = () =>
    fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        customer_id: customerId,
        feature_id: 'attachments',
        with_preview: true,
      }),
      // A redirect would send the secret to another address.
      redirect: 'error',
      signal,
    });
  const response = await post().catch((error: unknown) => {
    if (isConnectError(error)) return post();
    throw error;
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusedBy('Entitlement service', response.status);
  }
  return answerSchema.parse(await response.json());
}

/** No connection, or closed before any answer: the idle connection may have died. Asking twice does no harm. */
const connectErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

function isConnectError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && connectErrors.has(code);
}
