import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from './api-client.ts';
import { ActionButton } from './shared/buttons.tsx';
import { ChangeForm, Field } from './shared/form.tsx';
import { Page } from './shared/page.tsx';
import { type LinkTarget, lookAtLink, signIn } from './shared/session.ts';
import { Failure } from './shared/states.tsx';
import { Foreign } from './shared/text.tsx';
import { toFailure } from './shared/use-call.ts';

/** The key is sent once, and kept nowhere: the session is a cookie that no script can read. */
export function SignIn({
  hasEnded,
  onSignedIn,
}: {
  hasEnded: boolean;
  onSignedIn: () => Promise<void>;
}) {
  return (
    <main class="narrow">
      <Page title="Sign in" lead="With an API key that may manage the organization.">
        {hasEnded && (
          <p class="notice" role="status">
            Your session has ended: it lasts 12 hours, and no longer than its key. Sign in to go on
            where you were.
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
            hint="It begins with esk_ and has the scope manage_organization. This page forgets it at once."
            autocomplete="off"
            required
          />
        </ChangeForm>
        <p class="quiet">
          No key? Somebody of your team makes one under “API keys”. If the last one is lost, the
          operator of the service makes another.
        </p>
      </Page>
    </main>
  );
}

/**
 * A link signs in at the press of a button: a program that only opens it does not use it up. It says first whose console
 * it is, since anybody can send a link to their own.
 */
export function SignInByLink({
  link,
  onSignedIn,
}: {
  link: string;
  onSignedIn: () => Promise<void>;
}) {
  const [target, setTarget] = useState<LinkTarget>();
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    lookAtLink(link).then(setTarget, (error: unknown) => setFailure(toFailure(error)));
  }, [link]);
  return (
    <main class="narrow">
      <Page title="Sign in" lead="This link signs in once.">
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
              isMain
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
