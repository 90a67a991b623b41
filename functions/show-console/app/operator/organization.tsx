import { useRoute } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Fact, IdFact } from '../parts/facts.tsx';
import { ChangeForm, Choice, Field, numberIn } from '../parts/form.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge, Tag } from '../parts/text.tsx';
import { oneOf } from '../shared/paging.ts';
import { enter } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';
import { limitNames, limitWords } from './limit-words.ts';

type Organization = Answer<'GET /api/v1/organizations/{id}'>;

type Changing = { organization: Organization; onChanged: () => void };

/** One organization: what it does today, its limits, and what an operator may do about it. */
export function OrganizationPage() {
  const { id = '' } = useRoute().params;
  const called = useCall('GET /api/v1/organizations/{id}', { path: { id } });
  if (called.value === undefined) {
    return (
      <Page title="Organization">
        <Shown of={called}>{() => null}</Shown>
      </Page>
    );
  }
  const changing = { organization: called.value, onChanged: called.reload };
  const { name, paused } = called.value;
  return (
    <Page
      title={name}
      heading={<Foreign text={name} most={80} />}
      beside={paused && <StateBadge of={['Paused', 'warn']} />}
      actions={
        <>
          <Pause {...changing} />
          <Enter {...changing} />
        </>
      }
    >
      <Today organization={called.value} />
      <Limits {...changing} />
      <Domains {...changing} />
    </Page>
  );
}

function Enter({ organization: { id, name } }: Pick<Changing, 'organization'>) {
  return (
    <DialogButton label="Enter…" title="Enter its console" look="main">
      <p>
        For an hour you may do what the role support may in <Foreign text={name} most={60} />. Its
        audit log names you, with your reason, and its address for notices gets an email.
      </p>
      <ChangeForm
        submit="Enter"
        act={async (typed) => {
          await enter(id, typed('reason') ?? '');
          location.assign('/console');
        }}
      >
        <Field
          label="Reason"
          name="reason"
          hint="They can read it. For example “Ticket 4711: bounces since Monday”"
          autocomplete="off"
          required
        />
      </ChangeForm>
    </DialogButton>
  );
}

function Pause({ organization: { id, name, paused }, onChanged }: Changing) {
  const act = async () => {
    await call('PATCH /api/v1/organizations/{id}', { path: { id }, body: { paused: !paused } });
    toast(paused ? `${name} may send again` : `${name} is paused`);
    onChanged();
  };
  return paused ? (
    <ConfirmButton
      label="Resume…"
      look="plain"
      question="Let it send again?"
      yes="Resume"
      isHarmless
      act={act}
    >
      <p>Its next emails go out.</p>
    </ConfirmButton>
  ) : (
    <ConfirmButton label="Pause…" look="plain" question="Pause it?" yes="Pause" act={act}>
      <p>
        Its sends are refused from the next one on, and its tracked links ask before they redirect.
        Unsubscribing always works.
      </p>
    </ConfirmButton>
  );
}

const Today = ({
  organization: { id, today, use, createdAt, tenant },
}: Pick<Changing, 'organization'>) => (
  <>
    <dl class="tiles">
      <Tile name="Emails today" figure={today.sends} />
      <Tile name="Delivered" figure={today.delivered} />
      <Tile name="Bounced recipients" figure={today.bouncedRecipients} />
      <Tile name="Complaints" figure={today.complainedRecipients} />
    </dl>
    <Card>
      <dl class="facts">
        <IdFact name="ID" text={id} what="the ID of the organization" />
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
        <Fact name="API keys">{use.apiKeys.toLocaleString()}</Fact>
        {tenant && (
          <Fact name="At Amazon SES">
            {tenant.sending === 'paused' ? <StateBadge of={['Paused', 'bad']} /> : 'May send'}
          </Fact>
        )}
      </dl>
    </Card>
  </>
);

const Tile = ({ name, figure }: { name: string; figure: number }) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>{figure.toLocaleString()}</dd>
  </div>
);

function Limits({ organization: { id, limits, use }, onChanged }: Changing) {
  const used: Readonly<Record<string, number | undefined>> = use;
  return (
    <>
      <div class="section">
        <h2>Limits</h2>
        <DialogButton label="Change a limit…" title="Change a limit" look="small">
          <ChangeForm
            submit="Change"
            act={async (typed) => {
              const name = oneOf(limitNames, typed('name')) ?? 'recipientsPerDay';
              const limit = numberIn(typed('limit')) ?? null;
              const body = { limits: { [name]: limit } };
              await call('PATCH /api/v1/organizations/{id}', { path: { id }, body });
              toast('Limit changed');
              onChanged();
            }}
          >
            <Choice
              label="Limit"
              name="name"
              value="recipientsPerDay"
              options={limitNames.map((name) => [name, limitWords[name]])}
            />
            <Field
              label="At most"
              name="limit"
              type="number"
              hint="Empty: the deployment’s own limit"
              autocomplete="off"
            />
          </ChangeForm>
        </DialogButton>
      </div>
      <Table
        label="Limits"
        rows={limitNames}
        keyOf={(name) => name}
        columns={[
          { head: 'Limit', look: 'strong', width: 4, cell: (name) => limitWords[name] },
          {
            head: 'Used, of at most',
            look: 'end',
            width: 4,
            cell: (name) => useText(used[name], limits[name].limit),
          },
          {
            head: <span class="visually-hidden">Whose</span>,
            look: 'roomy',
            cell: (name) => !limits[name].isDefault && <Tag>Its own</Tag>,
          },
        ]}
      />
    </>
  );
}

/** A rate has no use that lasts. */
function useText(used: number | undefined, limit: number | null): string {
  const most = limit?.toLocaleString();
  if (used === undefined) return most ?? 'No limit';
  return most === undefined ? used.toLocaleString() : `${used.toLocaleString()} of ${most}`;
}

function Domains({ organization: { id, identity, domains = [] }, onChanged }: Changing) {
  const listed = [...(identity ? [identity] : []), ...domains];
  return (
    <>
      <div class="section">
        <h2>Domains</h2>
        <DialogButton label="Vouch for a domain…" title="Vouch for a domain" look="small">
          <p>
            That counts like its TXT record: the next check makes the organization the owner, unless
            another one has proved that it is.
          </p>
          <ChangeForm
            submit="Vouch"
            act={async (typed) => {
              const domain = (typed('domain') ?? '').toLowerCase();
              await call('POST /api/v1/domain-claims', { body: { domain, organizationId: id } });
              toast(`Vouched for ${domain}`);
              onChanged();
            }}
          >
            <Field label="Domain" name="domain" autocomplete="off" required />
          </ChangeForm>
        </DialogButton>
      </div>
      {listed.length === 0 ? (
        <p class="quiet">It sends from no domain yet.</p>
      ) : (
        <Table
          label="Domains"
          rows={listed}
          keyOf={({ domain }) => domain}
          columns={[
            { head: 'Domain', look: 'strong', cell: ({ domain }) => <Foreign text={domain} /> },
            {
              head: 'State',
              look: 'status',
              cell: ({ status }) => (
                <StateBadge of={status === 'active' ? ['Active', 'good'] : ['Pending', 'warn']} />
              ),
            },
            {
              head: <span class="visually-hidden">Actions</span>,
              look: 'end',
              cell: ({ domain }) => (
                <Release domain={domain} organizationId={id} onReleased={onChanged} />
              ),
            },
          ]}
        />
      )}
    </>
  );
}

export const Release = ({
  domain,
  organizationId,
  onReleased,
}: {
  domain: string;
  organizationId: string;
  onReleased: () => void;
}) => (
  <ConfirmButton
    label="Release…"
    name={`Release ${domain}`}
    question={`Release ${domain}?`}
    yes="Release"
    act={async () => {
      const input = { path: { domain }, query: { organizationId } };
      await call('DELETE /api/v1/domain-claims/{domain}', input);
      toast(`${domain} is released`);
      onReleased();
    }}
  >
    <p>
      The organization’s sends from it are refused at once. It can set the domain again, and so can
      another organization.
    </p>
  </ConfirmButton>
);
