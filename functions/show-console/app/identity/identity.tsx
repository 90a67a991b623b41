import { useEffect, useRef, useState } from 'preact/hooks';
import { SettingsPage } from '../settings/settings-page.tsx';
import { announce } from '../shared/announce.tsx';
import { Shown } from '../shared/states.tsx';
import { Badge, CopyButton, Foreign, LongForeign } from '../shared/text.tsx';
import { type Called, useCall } from '../shared/use-call.ts';
import type { Identity, Tone } from '../shared/words.ts';
import { DnsRecords } from './dns-records.tsx';
import { DeleteIdentity, SetIdentity } from './identity-forms.tsx';
import { SandboxGuide } from './sandbox-guide.tsx';

const lookEveryMs = 15_000;
/** Who leaves the page open does not ask for ever. */
const mostLooks = 120;

/** The domain that the organization sends from, and what it still lacks. */
export function IdentityPage() {
  const identity = useCall('GET /api/v1/organization/identity', {});
  const isNone = identity.failure?.code === 'identity_not_found';
  // What a person types below outlives a look that fails.
  const known = useRef<Identity | undefined>(undefined);
  if (identity.value || isNone) known.current = identity.value;
  return (
    <SettingsPage
      title="From identity"
      lead="The domain and the address that every email of your organization comes from."
    >
      {isNone && (
        <>
          <p>None is set: your organization cannot send yet.</p>
          <SetIdentity onSet={identity.reload} />
        </>
      )}
      {!isNone && identity.value === undefined && <Shown of={identity}>{() => null}</Shown>}
      {known.current && <Known identity={known.current} called={identity} />}
    </SettingsPage>
  );
}

const statusWords = {
  pending: ['Waiting for DNS', 'warn'],
  active: ['Active', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Identity['status'], readonly [string, Tone]>;

const sesWords: Readonly<Record<Identity['dkim']['status'], string>> = {
  NOT_STARTED: 'not looked for yet',
  PENDING: 'still looking',
  SUCCESS: 'found',
  TEMPORARY_FAILURE: 'lost for now, looking again',
  FAILED: 'given up',
};

function Known({ identity, called }: { identity: Identity; called: Called<Identity> }) {
  const { status, reason, sendingAs, records, account, tenant, zoneFile, domain } = identity;
  const { dkim, mailFrom } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  const summary = `${statusWords[status][0]}. ${found} of ${records.length} records found.`;
  const isWaiting = found < records.length || status === 'pending';
  useLiveStatus(summary, isWaiting, called.reload);
  return (
    <>
      <dl class="facts">
        <dt>Domain</dt>
        <dd>
          <Foreign text={domain} />
        </dd>
        <dt>From address</dt>
        <dd>
          <Foreign text={identity.fromEmail} />
        </dd>
        <dt>Status</dt>
        <dd>
          <Badge tone={statusWords[status][1]}>{statusWords[status][0]}</Badge>{' '}
          {reason && <LongForeign text={reason} />}
        </dd>
        <dt>Amazon SES says</dt>
        <dd>
          DKIM: {sesWords[dkim.status]}. MAIL FROM: {sesWords[mailFrom.status]}.
        </dd>
        <dt>Sends now use</dt>
        <dd>{sendingAs ? <Foreign text={sendingAs.fromEmail} /> : 'nothing: no email goes out'}</dd>
      </dl>
      {status === 'failed' && (
        <p class="notice bad">
          Amazon SES has given up after 72 hours. Publish the records, then set the domain again
          below.
        </p>
      )}
      {tenant?.sending === 'paused' && (
        <p class="notice bad">
          Amazon SES has paused your organization. <Foreign text={tenant.reason ?? ''} /> Ask the
          operator of the service.
        </p>
      )}
      {account.problems.map(({ code, message, wayOut }) => (
        <div class="notice warn" key={code}>
          <p>
            <b>{message}</b>
          </p>
          <p>{code === 'sandbox' ? 'How to leave it stands below.' : wayOut}</p>
        </div>
      ))}
      <h2>DNS records</h2>
      <p>
        {found} of {records.length} are there. Most DNS providers add the domain by themselves: give
        them the short name.
      </p>
      <p>
        <CopyButton text={zoneFile} what="all as a zone file" label="Copy all as a zone file" />
      </p>
      <DnsRecords records={records} />
      <p class="buttons">
        <button type="button" onClick={called.reload} aria-disabled={called.isLoading}>
          {called.isLoading ? 'Looking…' : 'Look now'}
        </button>
        {isWaiting && <span class="quiet">This page looks by itself every 15 seconds.</span>}
      </p>
      <SandboxGuide identity={identity} />
      <h2>Change</h2>
      <details>
        <summary>Set another domain or address</summary>
        <p>The present one goes on sending until the new one is active.</p>
        <SetIdentity identity={identity} onSet={called.reload} />
      </details>
      <DeleteIdentity domain={domain} onDeleted={called.reload} />
    </>
  );
}

/** Looks again while something is missing, as long as somebody may be looking. */
function useLiveStatus(summary: string, isWaiting: boolean, look: () => void) {
  const [looks, setLooks] = useState(0);
  const last = useRef(summary);
  useEffect(() => {
    if (last.current !== summary) announce(summary);
    last.current = summary;
  }, [summary]);
  useEffect(() => {
    if (!isWaiting || looks >= mostLooks) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      if (!document.hidden) look();
    }, lookEveryMs);
    return () => clearTimeout(timer);
  }, [isWaiting, looks, look]);
}
