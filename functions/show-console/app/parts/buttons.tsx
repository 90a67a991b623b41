import type { ComponentChildren } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { useAction } from '../shared/use-call.ts';
import { DialogButton, DialogContext } from './dialog.tsx';
import { Failure } from './states.tsx';

type Confirmed = {
  yes: string;
  isHarmless?: boolean;
  act: () => Promise<void>;
  children: ComponentChildren;
};

/** Asks before it acts. The dialog stays open until the service has answered. */
export const ConfirmButton = ({
  label,
  name,
  question,
  look = 'small',
  ...confirmed
}: Confirmed & {
  label: string;
  /** For screen readers, which read the button without its surroundings. */
  name?: string;
  question: string;
  /** `plain` at the top of a page. */
  look?: 'small' | 'plain';
}) => (
  <DialogButton
    label={label}
    name={name}
    title={question}
    look={look === 'small' ? look : undefined}
  >
    <Confirm {...confirmed} />
  </DialogButton>
);

function Confirm({ yes, isHarmless = false, act, children }: Confirmed) {
  const dialog = useContext(DialogContext);
  const action = useAction(async () => {
    dialog?.hold(true);
    await act().finally(() => dialog?.hold(false));
    dialog?.close();
  });
  return (
    <>
      {children}
      {action.failure && <Failure failure={action.failure} />}
      <p class="buttons">
        <button
          type="button"
          aria-disabled={action.isRunning}
          onClick={() => action.isRunning || dialog?.close()}
        >
          Cancel
        </button>
        <button
          type="button"
          class={isHarmless ? 'main' : 'danger'}
          aria-disabled={action.isRunning}
          onClick={action.run}
        >
          {action.isRunning ? 'Working…' : yes}
        </button>
      </p>
    </>
  );
}

/** Acts right away, and shows what went wrong. */
export function ActionButton({
  label,
  name,
  working = 'Working…',
  act,
  look = 'small',
}: {
  label: string;
  /** For screen readers, which read the button without its surroundings. */
  name?: string;
  working?: string;
  act: () => Promise<void>;
  look?: 'main' | 'small' | 'plain';
}) {
  const action = useAction(act);
  return (
    <>
      <button
        type="button"
        class={look}
        aria-label={name}
        aria-disabled={action.isRunning}
        onClick={action.run}
      >
        {action.isRunning ? working : label}
      </button>
      {action.failure && <Failure failure={action.failure} />}
    </>
  );
}

/** Replaces a button that has done its work, and takes its focus. */
export function Done({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => element.current?.focus(), []);
  return (
    <span tabIndex={-1} ref={element}>
      {children}
    </span>
  );
}
