import { type Answer, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ChangeForm } from '../shared/form.tsx';
import { Shown } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';

type Chosen = Answer<'GET /api/v1/preferences'>;

/** Which categories of email a person gets: all that are there, unless the person took one away. */
export function Preferences({ email, onChanged }: { email: string; onChanged: () => void }) {
  const preferences = useCall('GET /api/v1/preferences', { query: { email } });
  return (
    <Shown of={preferences}>
      {({ categories, subscriptions }) =>
        categories.length === 0 ? (
          <p class="quiet">Your organization has no categories of email.</p>
        ) : (
          <ChangeForm
            submit="Change it"
            keeps
            act={async (_, form) => {
              const isWanted = new Set(form.getAll('category'));
              const changed = categories
                .map(({ key }) => ({ categoryKey: key, subscribed: isWanted.has(key) }))
                .filter(({ categoryKey, subscribed }) => {
                  return subscribed !== isSubscribed(subscriptions, categoryKey);
                });
              if (changed.length > 0) {
                const body = { email, subscriptions: changed };
                await call('POST /api/v1/preferences', { body });
              }
              announce(changed.length > 0 ? 'The preferences are changed' : 'Nothing to change');
              onChanged();
              preferences.reload();
            }}
          >
            <fieldset>
              <legend>Gets</legend>
              <p class="quiet">The choice is the person’s: change it only as they asked.</p>
              {categories.map(({ key, name }) => (
                <label key={key} class="check">
                  <input
                    type="checkbox"
                    name="category"
                    value={key}
                    defaultChecked={isSubscribed(subscriptions, key)}
                  />
                  <Foreign text={name} />
                </label>
              ))}
            </fieldset>
          </ChangeForm>
        )
      }
    </Shown>
  );
}

const isSubscribed = (subscriptions: Chosen['subscriptions'], key: string): boolean =>
  subscriptions.find(({ categoryKey }) => categoryKey === key)?.subscribed ?? true;
