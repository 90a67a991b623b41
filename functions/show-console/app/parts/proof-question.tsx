import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { session } from '../api-client.ts';
import { issuerAddress } from '../shared/addresses.ts';
import { hasPasskey, signInByPasskey } from '../shared/passkeys.ts';
import { askForLink, confirmSession, SessionContext } from '../shared/session.ts';
import { ActionButton } from './buttons.tsx';
import { Dialog } from './dialog.tsx';
import { ChangeForm, Field } from './form.tsx';
import { Foreign } from './text.tsx';

type Question = {
  readonly isProven: Promise<boolean>;
  readonly answer: (isProven: boolean) => void;
  /** `Session.confirmedUntil` when it was asked. */
  readonly before: number;
};

function newQuestion(before: number): Question {
  let answer = (_: boolean) => {};
  const isProven = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  return { isProven, answer, before };
}

/** Asks for the key, or a new sign-in, where the service does, so that the request behind it can be repeated. */
export function ProofQuestion() {
  const [shown, setShown] = useState<Question>();
  const open = useRef<Question>(undefined);
  const { session: current } = useContext(SessionContext);
  const { confirmedUntil = 0, person } = current ?? {};
  const confirmed = useRef(confirmedUntil);
  confirmed.current = confirmedUntil;
  const close = (isProven: boolean) => {
    open.current?.answer(isProven);
    open.current = undefined;
    setShown(undefined);
  };
  useEffect(() => {
    session.prove = () => {
      // Requests that are refused at the same time share the answer.
      open.current ??= newQuestion(confirmed.current);
      setShown(open.current);
      return open.current.isProven;
    };
    return () => {
      session.prove = async () => false;
      open.current?.answer(false);
    };
  }, []);
  // The link opens in another tab, whose sign-in is this one's, too.
  useEffect(() => {
    if (shown && confirmedUntil > shown.before) close(true);
  }, [shown, confirmedUntil]);
  if (shown === undefined) return null;
  return person ? (
    <Dialog title="Sign in again" onClosed={() => close(false)}>
      {current?.isFromIssuer ? <SignInAtIssuer /> : <SignInAgain email={person.email} />}
    </Dialog>
  ) : (
    <Dialog title="Enter your API key" onClosed={() => close(false)}>
      <p>
        What you’re about to do outlasts your session, so the service asks for the key you signed in
        with. It won’t ask again for {PROOF_MINUTES} minutes.
      </p>
      <ChangeForm
        submit="Continue"
        act={async (typed) => {
          await confirmSession(typed('key') ?? '');
          shown.answer(true);
        }}
      >
        <Field label="Your API key" name="key" type="password" autocomplete="off" required />
      </ChangeForm>
    </Dialog>
  );
}

const why = (
  <p>
    What you’re about to do outlasts your session, so it needs a sign-in within the last{' '}
    {PROOF_MINUTES} minutes.
  </p>
);

/** In another tab, so that nothing that was typed here is lost. */
const SignInAtIssuer = () => (
  <>
    {why}
    <p class="buttons">
      <a
        class="button main"
        href={issuerAddress('/console', true)}
        target="_blank"
        rel="noreferrer"
      >
        Sign in again in another tab
      </a>
    </p>
    <p class="quiet">This page then goes on by itself.</p>
  </>
);

function SignInAgain({ email }: { email: string }) {
  const [isAsked, setAsked] = useState(false);
  const { reload } = useContext(SessionContext);
  const isUsual = hasPasskey();
  return (
    <>
      {why}
      <p role="status">
        {isAsked && (
          <>
            A link is on its way to{' '}
            <b>
              <Foreign text={email} />
            </b>
            . Open it in this browser within {LINK_MINUTES} minutes. This page then goes on by
            itself.
          </>
        )}
      </p>
      <p class="buttons">
        {isUsual && (
          <ActionButton
            label="Use a passkey"
            look="main"
            act={async () => {
              await signInByPasskey();
              // The page now knows of the new sign-in, and goes on.
              await reload();
            }}
          />
        )}
        <ActionButton
          label={isAsked ? 'Mail another link' : 'Mail me a link'}
          look={isAsked || isUsual ? 'plain' : 'main'}
          act={async () => {
            await askForLink(email);
            setAsked(true);
          }}
        />
      </p>
    </>
  );
}
