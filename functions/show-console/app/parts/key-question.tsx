import { useEffect, useRef, useState } from 'preact/hooks';
import { session } from '../api-client.ts';
import { confirmSession } from '../shared/session.ts';
import { Dialog } from './dialog.tsx';
import { ChangeForm, Field } from './form.tsx';

type Question = {
  readonly isShown: Promise<boolean>;
  readonly answer: (isShown: boolean) => void;
};

function newQuestion(): Question {
  let answer = (_: boolean) => {};
  const isShown = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  return { isShown, answer };
}

/** Asks for the key where the service does, so that the request behind it can be repeated. */
export function KeyQuestion() {
  const [shown, setShown] = useState<Question>();
  const open = useRef<Question>(undefined);
  useEffect(() => {
    session.showKey = () => {
      // Requests that are refused at the same time share the answer.
      open.current ??= newQuestion();
      setShown(open.current);
      return open.current.isShown;
    };
    return () => {
      session.showKey = async () => false;
      open.current?.answer(false);
    };
  }, []);
  if (shown === undefined) return null;
  return (
    <Dialog
      title="Enter your API key"
      onClosed={() => {
        shown.answer(false);
        open.current = undefined;
        setShown(undefined);
      }}
    >
      <p>
        What you’re about to do outlasts your session, so the service asks for the key you signed in
        with. It won’t ask again for five minutes.
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
