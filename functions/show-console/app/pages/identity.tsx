import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { DnsRecords } from '../parts/dns-records.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Badge, CopyButton, Foreign, LongForeign } from '../parts/text.tsx';
import { type Called, useCall } from '../use-call.ts';
import type { Identity, Tone } from '../words.ts';

const lookEveryMs = 15_000;
/** Who leaves the page open does not ask for ever. */
const mostLooks = 120;

/** The domain that the organization sends from, and what it still lacks. */
export function IdentityPage() {
  const identity = useCall('GET /api/v1/organization/identity', {});
  const isNone = identity.failure?.code === 'identity_not_found';
  return (
    <Page
      title="From identity"
      lead="The domain and the address that every email of your organization comes from."
    >
      {isNone ? (
        <>
          <p>None is set: your organization cannot send yet.</p>
          <SetIdentity onSet={identity.reload} />
        </>
      ) : (
        <Shown of={identity}>{(value) => <Known identity={value} called={identity} />}</Shown>
      )}
    </Page>
  );
}

function SetIdentity({ identity, onSet }: { identity?: Identity; onSet: () => void }) {
  return (
    <ChangeForm
      submit="Set it"
      act={async (typed) => {
        const body = {
          domain: typed('domain') ?? '',
          fromEmail: typed('fromEmail') ?? '',
          mailFromLabel: typed('mailFromLabel'),
        };
        await call('PUT /api/v1/organization/identity', { body });
        announce('The identity is set');
        onSet();
      }}
    >
      <Field
        label="Domain"
        name="domain"
        value={identity?.domain}
        hint="A part of your own domain, such as news.example.com: its DNS is yours"
        required
      />
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        value={identity?.fromEmail}
        hint="An address of that domain"
        required
      />
      <Field
        label="Label for bounces"
        name="mailFromLabel"
        hint="Optional, “bounces” unless told: bounces go to bounces.<domain>"
      />
    </ChangeForm>
  );
}

const statusWords = {
  pending: ['Waiting for DNS', 'warn'],
  active: ['Active', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Identity['status'], readonly [string, Tone]>;

function Known({ identity, called }: { identity: Identity; called: Called<Identity> }) {
  const { status, reason, sendingAs, records, account, tenant, zoneFile, domain } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  const summary = `${statusWords[status][0]}. ${found} of ${records.length} records found.`;
  useLiveStatus(summary, found < records.length || status === 'pending', called.reload);
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
          <p>{wayOut}</p>
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
      </p>
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

const DeleteIdentity = ({ domain, onDeleted }: { domain: string; onDeleted: () => void }) => (
  <div>
    <ConfirmButton
      label="Delete this identity…"
      question="Delete this identity?"
      yes="Delete it"
      act={async () => {
        await call('DELETE /api/v1/organization/identity', {});
        announce('The identity is deleted');
        onDeleted();
      }}
    >
      <p>
        Every send is refused from then on, and others may take <Foreign text={domain} />.
      </p>
    </ConfirmButton>
  </div>
);
