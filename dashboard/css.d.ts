// What Vite makes of imports that are no modules: style sheets are imported for their effect, a worker for its address.
// This must never declare anything else.
declare module "*.css" {}
declare module "*?worker&url" {
  const address: string;
  export default address;
}
