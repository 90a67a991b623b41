import { useState } from 'preact/hooks';
import type { Answer } from '../api-client.ts';
import { Foreign, Moment } from '../shared/text.tsx';
import { Erase } from './erase.tsx';
import { Preferences } from './preferences.tsx';

type Contact = Answer<'GET /api/v1/recipients/{email}'>['contact'];

/** What is known of a person, with what the person chose. */
export function Person({
  email,
  contact,
  onChanged,
}: {
  email: string;
  contact: Contact;
  onChanged: () => void;
}) {
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      {contact === null ? (
        <p class="quiet">Your organization does not know this address.</p>
      ) : (
        <>
          <p>
            Known since <Moment at={contact.createdAt} />.
          </p>
          {contact.subscriptions.length > 0 && (
            <ul>
              {contact.subscriptions.map(({ categoryKey, subscribed }) => (
                <li key={categoryKey}>
                  <Foreign text={categoryKey} />: {subscribed ? 'subscribed' : 'unsubscribed'}
                </li>
              ))}
            </ul>
          )}
          <details onToggle={(event) => setEditing(event.currentTarget.open)}>
            <summary>Change what the person gets</summary>
            {isEditing && <Preferences email={email} onChanged={onChanged} />}
          </details>
        </>
      )}
      <Erase email={email} onErased={onChanged} />
    </>
  );
}
