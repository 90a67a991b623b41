import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Failure } from './states.tsx';
import { useAction } from './use-call.ts';

/** A button that asks before it acts. The dialog stays open until the service has answered. */
export function ConfirmButton({
  label,
  name = label,
  question,
  yes,
  isHarmless = false,
  act,
  children,
}: {
  label: string;
  /** For screen readers, which read the button without its surroundings. */
  name?: string;
  question: string;
  yes: string;
  isHarmless?: boolean;
  act: () => Promise<void>;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const action = useAction(async () => {
    await act();
    dialog.current?.close();
  });
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={name}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        // A running action can't be closed away: its outcome shows here.
        onCancel={(event) => action.isRunning && event.preventDefault()}
      >
        <h2 id={titleId}>{question}</h2>
        {children}
        {action.failure && <Failure failure={action.failure} />}
        <p class="buttons">
          <button
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => action.isRunning || dialog.current?.close()}
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
      </dialog>
    </>
  );
}

/** A button that acts right away, and shows what went wrong. */
export function ActionButton({
  label,
  act,
  isMain = false,
}: {
  label: string;
  act: () => Promise<void>;
  isMain?: boolean;
}) {
  const action = useAction(act);
  return (
    <>
      <button
        type="button"
        class={isMain ? 'main' : 'small'}
        aria-disabled={action.isRunning}
        onClick={action.run}
      >
        {action.isRunning ? 'Working…' : label}
      </button>
      {action.failure && <Failure failure={action.failure} />}
    </>
  );
}

/** Replaces a button that has done its work, and takes over its focus. */
export function Done({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <span tabIndex={-1} ref={element}>
      {children}
    </span>
  );
}
