import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../api.ts';
import { type ApiFailure, call } from './api-client.ts';
import { ActionButton } from './parts/buttons.tsx';
import { ChangeForm, Field } from './parts/form.tsx';
import { Page } from './parts/page.tsx';
import { Failure } from './parts/states.tsx';
import { Foreign } from './parts/text.tsx';
import { signIn } from './shared/session.ts';
import { toFailure } from './shared/use-call.ts';
import { Mark } from './shell.tsx';

/** The key is sent once and never kept: the session is a cookie that scripts can't read. */
export function SignIn({
  hasEnded,
  onSignedIn,
}: {
  hasEnded: boolean;
  onSignedIn: () => Promise<void>;
}) {
  return (
    <main class="narrow">
      <Mark />
      <Page
        title="Sign in"
        lead={
          <>
            Use an API key with the scope <code>manage_organization</code>.
          </>
        }
      >
        {hasEnded && (
          <p class="notice" role="status">
            Your session has expired, or its key was revoked. Sign in to pick up where you left off.
          </p>
        )}
        <ChangeForm
          submit="Sign in"
          act={async (typed) => {
            await signIn({ key: typed('key') ?? '' });
            await onSignedIn();
          }}
        >
          <Field
            label="API key"
            name="key"
            type="password"
            hint="Starts with esk_. It’s sent once and never stored."
            autocomplete="off"
            required
          />
        </ChangeForm>
        <p class="quiet">
          No key? Ask a teammate to create one under “API keys”, or the operator for a sign-in link:{' '}
          <code>npm run manage -- console link</code>.
        </p>
      </Page>
    </main>
  );
}

/**
 * Signs in at the press of a button, so that a program that only opens the link doesn't use it up. Names the
 * organization first, since anyone can send a link to their own.
 */
export function SignInByLink({
  link,
  onSignedIn,
}: {
  link: string;
  onSignedIn: () => Promise<void>;
}) {
  const [target, setTarget] = useState<Answer<'POST /console/links/look'>>();
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    call('POST /console/links/look', { body: { link } }).then(setTarget, (error: unknown) =>
      setFailure(toFailure(error)),
    );
  }, [link]);
  return (
    <main class="narrow">
      <Mark />
      <Page title="Sign in" lead="This link works once.">
        {failure && <Failure failure={failure} />}
        {!(target || failure) && <p class="loading">Loading…</p>}
        {target && (
          <>
            <p>
              It opens the console of{' '}
              <b>
                <Foreign text={target.organization.name} />
              </b>
              . If that isn’t your organization, close this page.
            </p>
            <ActionButton
              label="Sign in to the console"
              look="main"
              act={async () => {
                await signIn({ link });
                await onSignedIn();
              }}
            />
          </>
        )}
      </Page>
    </main>
  );
}
