import { useContext, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Role, roles, scopesOfRole } from '#shared/access/roles';
import type { Answer, Route } from '../../../api.ts';
import { type ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { ChangeForm, Choice, Field } from '../parts/form.tsx';
import { LastUsed } from '../parts/last-used.tsx';
import { Card } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, Tag } from '../parts/text.tsx';
import { personAuditPage } from '../shared/addresses.ts';
import { capitalized } from '../shared/format.ts';
import { allows } from '../shared/may.ts';
import { maxPerPage, oneOf } from '../shared/paging.ts';
import { SessionContext } from '../shared/session.ts';
import { toFailure, useCall } from '../shared/use-call.ts';
import { endsIn } from './ends-in.ts';
import { SettingsPage } from './settings-page.tsx';

type Person = Answer<'GET /api/v1/people'>['data'][number];

const roleOptions = roles.map((role) => [role, capitalized(role)] as const);

/** Who signs in with their address, and what each may do. */
export function People() {
  const { cursor } = useLocation().query;
  const people = useCall('GET /api/v1/people', { query: { cursor, limit: maxPerPage } });
  const [failure, setFailure] = useState<ApiFailure>();
  return (
    <SettingsPage
      name="People"
      lead="They sign in with their address, by a link, a passkey or an identity provider, without a password or an API key."
    >
      <Card title="Invite somebody">
        <div class="invite">
          <Invite onInvited={people.reload} />
        </div>
      </Card>
      {failure && <Failure failure={failure} />}
      <PagedTable
        label="People"
        of={people}
        columns={columnsOf(people.reload, setFailure)}
        keyOf={({ id }) => id}
        more="More"
        empty={
          <Empty title="Nobody yet">
            Invite your team, and no API key has to be passed around to sign in.
          </Empty>
        }
      />
      <h2>What each role may do</h2>
      <Allowed />
    </SettingsPage>
  );
}

type Changed = { onChanged: () => void };

const usualRole: Role = 'support';

const Invite = ({ onInvited }: { onInvited: () => void }) => (
  <ChangeForm
    submit="Invite"
    act={async (typed) => {
      const body = {
        email: typed('email') ?? '',
        role: oneOf(roles, typed('role')) ?? usualRole,
      };
      await call('POST /api/v1/people', { body });
      toast(`${body.email} is invited`);
      onInvited();
    }}
  >
    <Field label="Email address" name="email" type="email" autocomplete="off" required />
    <Choice label="Role" name="role" value={usualRole} options={roleOptions} />
  </ChangeForm>
);

type OnFailure = (failure: ApiFailure | undefined) => void;

const columnsOf = (onChanged: () => void, onFailure: OnFailure): readonly Column<Person>[] => [
  {
    head: 'Person',
    look: 'strong who',
    cell: ({ id, email }) => (
      <>
        <Foreign text={email} most={120} /> <You id={id} />
      </>
    ),
  },
  {
    head: 'Role',
    look: 'role',
    cell: (person) =>
      person.managedBy === 'issuer' ? (
        <>
          {capitalized(person.role)} <Tag>By your identity provider</Tag>
        </>
      ) : (
        <RoleChoice person={person} onChanged={onChanged} onFailure={onFailure} />
      ),
  },
  { head: 'Last here', look: 'here', cell: (person) => <LastHere person={person} /> },
  {
    head: <span class="visually-hidden">Actions</span>,
    look: 'end remove',
    cell: (person) => (
      <>
        {person.sessions > 0 && <SignOut person={person} onChanged={onChanged} />}{' '}
        <Remove person={person} onChanged={onChanged} />
      </>
    ),
  },
];

const useIsMe = (id: string): boolean => useContext(SessionContext).session?.keyId === id;

const You = ({ id }: { id: string }) => (useIsMe(id) ? <Tag>You</Tag> : null);

/** Applies at once. If it fails, the select shows the role as it is. */
function RoleChoice({
  person: { id, email, role },
  onChanged,
  onFailure,
}: Changed & { person: Person; onFailure: OnFailure }) {
  const [chosen, setChosen] = useState<Role>();
  const isKnown = roles.some((one) => one === role);
  const choose = async (next: Role) => {
    onFailure(undefined);
    setChosen(next);
    try {
      await call('PATCH /api/v1/people/{id}', { path: { id }, body: { role: next } });
      toast(`${email} is ${article(next)} ${next} now`);
      onChanged();
    } catch (error) {
      onFailure(toFailure(error));
      setChosen(undefined);
    }
  };
  return (
    <select
      aria-label={`Role of ${email}`}
      value={chosen ?? role}
      onChange={({ currentTarget }) => {
        const next = oneOf(roles, currentTarget.value);
        if (next && next !== (chosen ?? role)) void choose(next);
      }}
    >
      {[...roleOptions, ...(isKnown ? [] : [[role, role] as const])].map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

const article = (role: Role): string => (role === 'admin' ? 'an' : 'a');

function LastHere({ person: { id, status, invitedUntil, lastUsedAt } }: { person: Person }) {
  if (status === 'invited') {
    return <>Invited, {endsIn(invitedUntil ?? 0, Date.now())}</>;
  }
  return (
    <>
      <LastUsed at={lastUsedAt} inRow />
      <br />
      <a href={personAuditPage(id)}>What they did</a>
    </>
  );
}

const SignOut = ({ person: { id, email }, onChanged }: Changed & { person: Person }) => (
  <ConfirmButton
    label="Sign out…"
    name={`Sign out ${email}`}
    question="Sign this person out everywhere?"
    yes="Sign out"
    act={async () => {
      await call('DELETE /api/v1/people/{id}/sessions', { path: { id } });
      toast(`${email} is signed out`);
      onChanged();
    }}
  >
    <p>
      <Foreign text={email} /> is signed out of this organization in all browsers at once. They can
      sign in again.
    </p>
  </ConfirmButton>
);

function Remove({ person: { id, email, status }, onChanged }: Changed & { person: Person }) {
  const isMe = useIsMe(id);
  return (
    <ConfirmButton
      label="Remove…"
      name={`Remove ${email}`}
      question={isMe ? 'Remove yourself?' : 'Remove this person?'}
      yes="Remove"
      act={async () => {
        await call('DELETE /api/v1/people/{id}', { path: { id } });
        toast(`${email} is removed`);
        onChanged();
      }}
    >
      <p>
        <Foreign text={email} />{' '}
        {status === 'invited'
          ? 'can’t accept the invitation anymore.'
          : 'is signed out everywhere at once, in open tabs too.'}{' '}
        The audit log keeps naming them, and API keys that they created go on.
      </p>
      {isMe && <p>That’s you: you’ll be signed out.</p>}
    </ConfirmButton>
  );
}

/** What a role may do is what its scopes allow: nothing here says it again. */
const deeds: readonly (readonly [deed: string, ...routes: readonly Route[]])[] = [
  [
    'See emails, recipients and usage',
    'GET /api/v1/sends',
    'GET /api/v1/contacts',
    'GET /api/v1/usage',
  ],
  ['See what emails say', 'GET /api/v1/sends/{id}/content'],
  [
    'Send emails again, or cancel them',
    'POST /api/v1/sends/{id}/resend',
    'POST /api/v1/sends/{id}/cancel',
  ],
  [
    'Suppress addresses, and lift suppressions',
    'POST /api/v1/suppressions',
    'DELETE /api/v1/suppressions/{email}',
  ],
  ['See refused requests', 'GET /api/v1/requests'],
  ['Erase people', 'DELETE /api/v1/contacts/{email}'],
  ['See webhooks, and deliver again', 'POST /api/v1/webhooks/{id}/redeliver-failed'],
  ['Change templates and webhooks', 'PUT /api/v1/templates/{id}', 'PATCH /api/v1/webhooks/{id}'],
  ['Make keys that send', 'POST /api/v1/api-keys'],
  ['See domains', 'GET /api/v1/domains'],
  ['Send and export emails', 'POST /api/v1/emails/send', 'GET /api/v1/sends/export'],
  [
    'Manage domains, settings and people',
    'POST /api/v1/domains',
    'PATCH /api/v1/organization',
    'POST /api/v1/people',
  ],
];

const Allowed = () => (
  <table class="boxed allowed" aria-label="What each role may do">
    <thead>
      <tr>
        <td />
        {roleOptions.map(([role, name]) => (
          <th key={role} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {deeds.map(([deed, ...routes]) => (
        <tr key={deed}>
          <th scope="row">{deed}</th>
          {roles.map((role) => (
            <td key={role}>
              {allows(scopesOfRole(role), routes) ? <Yes /> : <span class="quiet">–</span>}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const Yes = () => (
  <>
    <svg class="yes" viewBox="0 0 16 16" aria-hidden="true">
      <path d="m4 8.5 2.7 2.7L12 5.5" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
    <span class="visually-hidden">Yes</span>
  </>
);
