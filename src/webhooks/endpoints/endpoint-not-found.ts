import { ApiError } from "../../lib/errors.ts";

export function endpointNotFound(): ApiError {
  return new ApiError("NOT_FOUND", {
    param: "id",
    message: "No existe un endpoint con este identificador en la cuenta. Vea los que hay en Webhooks.",
  });
}
