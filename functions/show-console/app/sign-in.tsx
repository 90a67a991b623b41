import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../api.ts';
import { type ApiFailure, call } from './api-client.ts';
import { toast } from './parts/announce.tsx';
import { ActionButton } from './parts/buttons.tsx';
import { ChangeForm, Field } from './parts/form.tsx';
import { Page } from './parts/page.tsx';
import { Failure } from './parts/states.tsx';
import { Foreign } from './parts/text.tsx';
import { issuerAddress, pageAfterSignIn } from './shared/addresses.ts';
import {
  endQuestion,
  hasPasskey,
  offerPasskeys,
  signInByPasskey,
  takesPasskeys,
} from './shared/passkeys.ts';
import { askForLink, signIn } from './shared/session.ts';
import { toFailure } from './shared/use-call.ts';
import { Mark } from './shell.tsx';

type SignInProps = { hasEnded: boolean; onSignedIn: () => Promise<void> };

/** People sign in with their address, by a link, a passkey or an identity provider. A key is for the first one, and for an organization without people. */
export function SignIn({ hasEnded, onSignedIn }: SignInProps) {
  const [isByKey, setByKey] = useState(false);
  const ways = useWays();
  return (
    <main class="narrow">
      <Mark />
      <Page
        key={`${isByKey}`}
        title="Sign in"
        lead={
          isByKey ? (
            <>
              Use an API key with the scope <code>manage_organization</code>.
            </>
          ) : hasPasskey() ? (
            'Use your passkey, or get a link by email. There’s no password.'
          ) : (
            'You get a link by email. There’s no password.'
          )
        }
      >
        {hasEnded && (
          <p class="notice" role="status">
            Your session has expired, or your access was revoked. Sign in to pick up where you left
            off.
          </p>
        )}
        {isByKey ? (
          <ByKey onSignedIn={onSignedIn} />
        ) : (
          <>
            {ways.issuer && <AtIssuer name={ways.issuer.name} />}
            <ByAddress onSignedIn={onSignedIn} />
          </>
        )}
        {ways.keys && (
          <p class="otherway">
            <button type="button" class="link" onClick={() => setByKey(!isByKey)}>
              {isByKey ? 'Use your email address' : 'Use an API key'}
            </button>
          </p>
        )}
      </Page>
    </main>
  );
}

type Ways = Answer<'GET /console/sign-in/options'>['ways'];

/** How people may sign in besides by a link. If it can't be read, the key's form says what's wrong. */
function useWays(): Ways {
  const [ways, setWays] = useState<Ways>({ keys: true });
  useEffect(() => {
    call('GET /console/sign-in/options', {}).then(
      (options) => setWays(options.ways),
      () => {},
    );
  }, []);
  return ways;
}

/** The deployment's identity provider. */
const AtIssuer = ({ name }: { name: string }) => (
  <p class="buttons">
    <ActionButton
      label={`Continue with ${name}`}
      look="main"
      act={async () => location.assign(issuerAddress(pageToOpen()))}
    />
  </p>
);

/** The address stays while somebody signs in, unless it's that of a sign-in. */
function pageToOpen(): string {
  const { pathname, search } = location;
  return pathname === '/console/sign-in'
    ? pageAfterSignIn(new URLSearchParams(search).get('to') ?? '')
    : pathname + search;
}

/** The browser offers passkeys beside the address, and the page does first, where one was used before. */
function ByAddress({ onSignedIn }: Pick<SignInProps, 'onSignedIn'>) {
  const [email, setEmail] = useState('');
  const [isAsked, setAsked] = useState(false);
  const isUsual = hasPasskey();
  useEffect(() => {
    // That none was offered, or used, needs no words: there's the form.
    const offer = async () => {
      if (await offerPasskeys()) await onSignedIn();
    };
    offer().catch(() => {});
    return endQuestion;
  }, [onSignedIn]);
  if (isAsked) return <Asked email={email} change={() => setAsked(false)} />;
  return (
    <>
      {isUsual && <ByPasskey look="main" onSignedIn={onSignedIn} />}
      <ChangeForm
        submit="Mail me a link"
        act={async (typed) => {
          const address = typed('email') ?? '';
          await askForLink(address);
          setEmail(address);
          setAsked(true);
        }}
      >
        <Field
          label="Email address"
          name="email"
          type="email"
          value={email}
          autocomplete="username webauthn"
          required
        />
      </ChangeForm>
      {takesPasskeys && !isUsual && <ByPasskey look="plain" onSignedIn={onSignedIn} />}
    </>
  );
}

const ByPasskey = ({
  look,
  onSignedIn,
}: Pick<SignInProps, 'onSignedIn'> & { look: 'main' | 'plain' }) => (
  <div class="bypasskey">
    <ActionButton
      label="Sign in with a passkey"
      look={look}
      act={async () => {
        await signInByPasskey();
        await onSignedIn();
      }}
    />
  </div>
);

function Asked({ email, change }: { email: string; change: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <>
      <div class="notice" tabIndex={-1} ref={element}>
        <p>
          If{' '}
          <b>
            <Foreign text={email} breaks />
          </b>{' '}
          may sign in, a link is on its way. Open it in this browser within {LINK_MINUTES} minutes.
        </p>
      </div>
      <p class="buttons">
        <button type="button" onClick={change}>
          Change the address
        </button>
        <ActionButton
          label="Mail another link"
          look="plain"
          act={async () => {
            await askForLink(email);
            toast('Another link is on its way');
          }}
        />
      </p>
    </>
  );
}

/** The key is sent once and never kept: the session is a cookie that scripts can't read. */
const ByKey = ({ onSignedIn }: Pick<SignInProps, 'onSignedIn'>) => (
  <>
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
      No key? Ask a teammate to invite you under “Settings”, “People”, or the operator for a sign-in
      link: <code>npm run manage -- console link</code>.
    </p>
  </>
);

/** What a new link helps with: it was asked for in another browser, or it's over. */
const isOfLink = new Set<unknown>(['other_browser', 'link_not_found']);

/**
 * Signs in at the press of a button, so that a program that only opens the link doesn't use it up. Names the
 * organization first, since anyone can send a link to their own.
 */
export function SignInByLink({
  link,
  onSignedIn,
  askHere,
}: {
  link: string;
  onSignedIn: () => Promise<void>;
  /** Leaves the link for the form that asks for one. */
  askHere: () => void;
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
        {target && !failure && (
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
                try {
                  await signIn({ link });
                } catch (error) {
                  const refused = toFailure(error);
                  if (!isOfLink.has(refused.code)) throw error;
                  setFailure(refused);
                  return;
                }
                await onSignedIn();
              }}
            />
          </>
        )}
        {failure && isOfLink.has(failure.code) && (
          <p>
            <button type="button" class="main" onClick={askHere}>
              Ask for a link here
            </button>
          </p>
        )}
      </Page>
    </main>
  );
}
