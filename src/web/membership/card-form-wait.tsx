/** Has the shape of a form for a card, so that nothing moves when it is there. */
export function CardFormWait() {
  return (
    <div className="form form--wait">
      <output className="vh">Loading the payment form</output>
      <i />
      <i />
      <i />
    </div>
  );
}
