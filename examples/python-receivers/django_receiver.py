"""Un receptor de webhooks con Django, en un solo archivo: python django_receiver.py"""

import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from mostrador import WebhookSignatureError, receive_webhook

from procesar import procesar


# Mostrador no tiene el token CSRF de su sitio: la firma lo reemplaza. Exima esta vista y solo esta.
@csrf_exempt
@require_POST
def webhooks(request: HttpRequest) -> HttpResponse:
    # Los bytes tal como llegaron: antes de request.POST.
    cuerpo = request.body
    try:
        evento = receive_webhook(cuerpo, request.headers.get("Service-Signature"), os.environ["MOSTRADOR_WEBHOOK_SECRET"])
    except WebhookSignatureError as error:
        return HttpResponse(str(error), status=400)
    procesar(evento)
    return HttpResponse(status=204)


urlpatterns = [path("webhooks", webhooks)]

if __name__ == "__main__":
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
        ROOT_URLCONF=__name__,
        SECRET_KEY=os.urandom(32).hex(),
    )
    port = os.environ.get("PORT", "4242")
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{port}"])
