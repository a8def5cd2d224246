"""Un receptor de webhooks con FastAPI: python fastapi_receiver.py"""

import os

from fastapi import FastAPI, Request, Response
from mostrador import WebhookSignatureError, receive_webhook

from procesar import procesar

app = FastAPI()


# FastAPI no pide token CSRF. Si su aplicación tiene un middleware que lo pide, exima esta dirección y solo esta.
@app.post("/webhooks")
async def webhooks(request: Request) -> Response:
    # Los bytes tal como llegaron: no declare aquí un modelo, que los leería antes.
    cuerpo = await request.body()
    try:
        evento = receive_webhook(cuerpo, request.headers.get("service-signature"), os.environ["MOSTRADOR_WEBHOOK_SECRET"])
    except WebhookSignatureError as error:
        return Response(str(error), 400)
    procesar(evento)
    return Response(status_code=204)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "4242")))
