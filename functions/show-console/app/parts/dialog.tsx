import { type ComponentChildren, createContext } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { addressWith } from '../shared/paging.ts';

type InDialog = {
  readonly close: () => void;
  /** Keeps the dialog open while an action runs, since its outcome shows there. */
  readonly hold: (isBusy: boolean) => void;
};

/** The dialog around a form, if any. */
export const DialogContext = createContext<InDialog | undefined>(undefined);

/** A modal dialog: Esc and its cross close it, and the browser gives the focus back. */
export function Dialog({
  title,
  look,
  onClosed,
  children,
}: {
  title: ComponentChildren;
  /** `wide` for code. */
  look?: 'wide' | undefined;
  onClosed: () => void;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isBusy = useRef(false);
  const titleId = useId();
  const [context] = useState<InDialog>(() => ({
    close: () => element.current?.close(),
    hold: (busy) => {
      isBusy.current = busy;
      // A second Esc closes a dialog even if its `cancel` event is prevented.
      element.current?.setAttribute('closedby', busy ? 'none' : 'closerequest');
    },
  }));
  useLayoutEffect(() => {
    element.current?.showModal();
    // The browser focuses the first element that can take it. Times can, but aren't a good place to start.
    if (document.activeElement?.matches('time')) heading.current?.focus();
  }, []);
  return (
    <dialog
      class={look}
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => isBusy.current && event.preventDefault()}
      onClose={onClosed}
    >
      <div class="within">
        <h2 id={titleId} tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <DialogContext.Provider value={context}>{children}</DialogContext.Provider>
      </div>
      {/* Last, so that it isn't what the browser focuses. */}
      <button
        type="button"
        class="cross"
        aria-label="Close"
        onClick={() => isBusy.current || context.close()}
      >
        ×
      </button>
    </dialog>
  );
}

/** The dialog's content exists only while it's open. */
export function DialogButton({
  label,
  name,
  title,
  look,
  opensBy,
  children,
}: {
  label: ComponentChildren;
  /** For screen readers, which read the button without its surroundings. */
  name?: string | undefined;
  title: string;
  look?: 'main' | 'small' | undefined;
  /** The value of `do` in the page's address that opens it, as the palette's links do. */
  opensBy?: string;
  children: ComponentChildren;
}) {
  const { path, query, route } = useLocation();
  const isAsked = opensBy !== undefined && query['do'] === opensBy;
  const [isPressed, setPressed] = useState(false);
  const close = () => {
    setPressed(false);
    if (isAsked) route(addressWith(path, { ...query, do: undefined }), true);
  };
  return (
    <>
      <button type="button" class={look} aria-label={name} onClick={() => setPressed(true)}>
        {label}
      </button>
      {(isPressed || isAsked) && (
        <Dialog title={title} onClosed={close}>
          {children}
        </Dialog>
      )}
    </>
  );
}
