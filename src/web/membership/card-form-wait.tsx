import { Trans } from '@lingui/react/macro';

/** Placeholder in the shape of a card form, to avoid a layout shift. */
export function CardFormWait() {
  return (
    <div className="form">
      <output className="sr-only">
        <Trans>Loading the payment form</Trans>
      </output>
      <i className="h-19 rounded-cover bg-overlay opacity-50" />
      <i className="h-19 rounded-cover bg-overlay opacity-50" />
      <i className="h-13 rounded-full bg-overlay opacity-50" />
    </div>
  );
}
