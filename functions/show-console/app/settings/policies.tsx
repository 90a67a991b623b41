import { useRef } from 'preact/hooks';
import { ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Choice, Field, type Typed } from '../parts/form.tsx';
import { Shown } from '../parts/states.tsx';
import { Tag } from '../parts/text.tsx';
import { oneOf } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { CategoryList } from './categories.tsx';
import {
  builtInPolicies,
  type Category,
  isSamePolicy,
  type Policy,
  policyText,
  replacesBuiltIn,
} from './policy.ts';
import { changedBySomeoneElse } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { TrackingFields, trackingText, typedTracking } from './tracking.tsx';

/** Who each kind of email leaves out, and what people can choose. */
export function Policies() {
  const policies = useCall('GET /api/v1/policies', {});
  const categories = useCall('GET /api/v1/categories', {});
  return (
    <SettingsPage
      name="Policies"
      lead="Each send has a policy, which decides who is left out. Categories are the choices on the preference page."
    >
      <Shown of={categories}>
        {({ data: known }) => (
          <Shown of={policies}>
            {({ data }) => (
              <>
                <div class="section">
                  <h2>Policies</h2>
                  <CreatePolicy categories={known} onChanged={policies.reload} />
                </div>
                <ul class="rows">
                  {data.map((policy) => (
                    <Row
                      key={policy.key}
                      policy={policy}
                      categories={known}
                      onChanged={policies.reload}
                    />
                  ))}
                </ul>
                <p class="quiet">
                  Set the default policy under <a href="/console/settings">General</a>.
                </p>
                <CategoryList categories={known} policies={data} onChanged={categories.reload} />
              </>
            )}
          </Shown>
        )}
      </Shown>
    </SettingsPage>
  );
}

type Changes = { categories: readonly Category[]; onChanged: () => void };

const kinds = [
  ['transactional', 'Transactional: receipts, password resets and other emails people expect'],
  ['bulk', 'Bulk: newsletters, offers and other emails people can unsubscribe from'],
] as const;

const typedPolicy = (typed: Typed) => ({
  kind: oneOf(builtInPolicies, typed('kind')) ?? 'transactional',
  categoryKey: typed('categoryKey'),
  tracking: typedTracking(typed),
  ...(typed('keepsContent') === 'no' && { keepsContent: false }),
});

const PolicyFields = ({
  policy,
  categories,
}: {
  policy?: Policy;
  categories: Changes['categories'];
}) => (
  <>
    <Choice label="Kind" name="kind" value={policy?.kind ?? 'bulk'} options={kinds} />
    <Choice
      label="Category"
      name="categoryKey"
      value={policy?.categoryKey}
      options={[
        ['', 'None'],
        ...categories.map(({ key, name }) => [key, `${name} (${key})`] as const),
      ]}
    />
    <TrackingFields tracking={policy?.tracking} otherwise="As in the settings" />
    <Choice
      label="Content"
      name="keepsContent"
      value={policy?.keepsContent === false ? 'no' : ''}
      options={[
        ['', 'Stored as the settings say'],
        ['no', 'Never stored'],
      ]}
    />
    <p class="quiet">
      Turn tracking and storage off for password resets: their links let people in, so they
      shouldn’t pass through another server or be stored on one.
    </p>
  </>
);

const CreatePolicy = ({ categories, onChanged }: Changes) => (
  <DialogButton label="Create policy" title="Create a policy">
    <ChangeForm
      submit="Create policy"
      act={async (typed) => {
        const key = typed('key') ?? '';
        const body = typedPolicy(typed);
        const { data } = await call('GET /api/v1/policies', {});
        const present = data.find((policy) => policy.key === key && !policy.builtIn);
        if (present && !isSamePolicy(present, body)) {
          throw new ApiFailure(0, {
            detail: `There’s already a policy ${key}. Edit it in the list, or choose another key.`,
          });
        }
        await call('PUT /api/v1/policies/{key}', { path: { key }, body });
        toast('Policy created');
        onChanged();
      }}
    >
      <Field
        label="Key"
        name="key"
        hint="What sends pass as policyKey, such as “newsletter”. “transactional” and “bulk” replace the built-in ones."
        required
      />
      <PolicyFields categories={categories} />
    </ChangeForm>
  </DialogButton>
);

const Row = ({ policy, categories, onChanged }: Changes & { policy: Policy }) => (
  <li>
    <span class="wide">
      <b>
        <code>{policy.key}</code>
      </b>{' '}
      <Tag>{policy.kind}</Tag> {policy.builtIn && <small>built in</small>}
      {replacesBuiltIn(policy) && <small>replaces the built-in one</small>}
      <br />
      <span class="quiet">
        <bdi>{policyText(policy, categories)}</bdi> {trackingText(policy.tracking)}
      </span>
    </span>
    {!policy.builtIn && (
      <span class="buttons">
        <Change policy={policy} categories={categories} onChanged={onChanged} />
        <Delete policy={policy} onChanged={onChanged} />
      </span>
    )}
  </li>
);

const Change = ({ policy, categories, onChanged }: Changes & { policy: Policy }) => (
  <DialogButton
    label="Edit…"
    name={`Edit the policy ${policy.key}`}
    title={`Edit the policy ${policy.key}`}
    look="small"
  >
    <ChangeFields policy={policy} categories={categories} onChanged={onChanged} />
  </DialogButton>
);

/** A policy is written whole, so it's read first: it may no longer be the one that's shown. */
function ChangeFields({ policy, categories, onChanged }: Changes & { policy: Policy }) {
  const seen = useRef(policy);
  return (
    <ChangeForm
      submit="Save"
      act={async (typed) => {
        const path = { key: policy.key };
        const body = typedPolicy(typed);
        const now = await call('GET /api/v1/policies/{key}', { path });
        if (!isSamePolicy(seen.current, now) && !isSamePolicy(body, now)) {
          seen.current = now;
          throw changedBySomeoneElse('this policy');
        }
        await call('PUT /api/v1/policies/{key}', { path, body });
        toast('Policy saved');
        onChanged();
      }}
    >
      <PolicyFields policy={policy} categories={categories} />
    </ChangeForm>
  );
}

const Delete = ({ policy, onChanged }: { policy: Policy; onChanged: () => void }) => (
  <ConfirmButton
    label="Delete…"
    name={`Delete the policy ${policy.key}`}
    question="Delete this policy?"
    yes="Delete"
    act={async () => {
      await call('DELETE /api/v1/policies/{key}', { path: { key: policy.key } });
      toast('Policy deleted');
      onChanged();
    }}
  >
    <p>
      {replacesBuiltIn(policy)
        ? `The built-in policy ${policy.key} applies again from the next send on.`
        : `Sends with ${policy.key} are refused from then on.`}
    </p>
  </ConfirmButton>
);
