import type { ComponentChildren } from 'preact';
import { mayOpen } from '../shared/places.ts';

/** A link to a page that not everyone may open: to others, only its text. */
export const PageLink = ({
  href,
  children,
  ...rest
}: {
  href: string;
  class?: string;
  'aria-label'?: string | undefined;
  children: ComponentChildren;
}) =>
  mayOpen(href) ? (
    <a href={href} {...rest}>
      {children}
    </a>
  ) : (
    children
  );
